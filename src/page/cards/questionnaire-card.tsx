import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { EnsoQuestion } from '../../core/index.js'
import { plain } from '../model/plain.js'
import { answerOf, answersOf, EMPTY_DRAFT, type QuestionDraft } from '../model/questionnaire.js'
import { Icon } from '../ui/icon.js'
import { CardButtons } from './card-buttons.js'
import type { CardProps } from './card-props.js'
import { QuestionFields } from './question-fields.js'

/** Several questions, a tab each, answered together. */
export function QuestionnaireCard({ dialog, busy, answer }: CardProps<'questionnaire'>) {
  const { questions } = dialog
  const [drafts, setDrafts] = useState<readonly QuestionDraft[]>(() => questions.map(() => EMPTY_DRAFT))
  const [at, setAt] = useState(0)
  const [missing, setMissing] = useState(false)
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  const [steps, setSteps] = useState(0)
  // The button that goes on is not there at the last question: the focus goes on too.
  useEffect(() => {
    if (steps > 0) panel.current?.querySelector<HTMLElement>('input')?.focus()
  }, [steps])
  const question = questions[at]!
  const isLast = at === questions.length - 1
  const isNextMain = !isLast && 'missing' in answersOf(drafts)

  function submit(): void {
    const result = answersOf(drafts)
    if ('missing' in result) {
      setAt(result.missing)
      setMissing(true)
    } else answer(result)
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isLast && answerOf(drafts[at]!) !== undefined && 'missing' in answersOf(drafts)) setAt(at + 1)
        else submit()
      }}
    >
      {questions.length > 1 && <Tabs id={id} questions={questions} drafts={drafts} at={at} onPick={setAt} />}
      <div
        id={`${id}-panel`}
        ref={panel}
        role={questions.length > 1 ? 'tabpanel' : 'group'}
        aria-labelledby={questions.length > 1 ? `${id}-tab-${at}` : undefined}
      >
        <QuestionFields
          key={question.header}
          question={question}
          draft={drafts[at]!}
          onChange={(draft) => {
            setMissing(false)
            setDrafts(drafts.map((one, index) => (index === at ? draft : one)))
          }}
        />
      </div>
      {missing && (
        <p class="problem" role="alert">
          This question has no answer yet.
        </p>
      )}
      <CardButtons busy={busy} cancel="Decline" onCancel={() => answer({ cancelled: true })}>
        {!isLast && (
          <button
            type="button"
            class={isNextMain ? 'button is-main' : 'button'}
            aria-disabled={busy}
            onClick={() => {
              setAt(at + 1)
              setSteps(steps + 1)
            }}
          >
            Next
          </button>
        )}
        <button type="button" class={isNextMain ? 'button' : 'button is-main'} aria-disabled={busy} onClick={submit}>
          {questions.length > 1 ? 'Send all answers' : 'Send answer'}
        </button>
      </CardButtons>
    </form>
  )
}

interface TabsProps {
  readonly id: string
  readonly questions: readonly EnsoQuestion[]
  readonly drafts: readonly QuestionDraft[]
  readonly at: number
  readonly onPick: (index: number) => void
}

function Tabs({ id, questions, drafts, at, onPick }: TabsProps) {
  const list = useRef<HTMLDivElement>(null)
  const pick = (index: number): void => {
    const next = (index + questions.length) % questions.length
    onPick(next)
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus()
  }
  return (
    <div class="tabs" role="tablist" aria-label="Questions" ref={list}>
      {questions.map(({ header }, index) => (
        <button
          key={header}
          type="button"
          id={`${id}-tab-${index}`}
          role="tab"
          aria-selected={index === at}
          aria-controls={`${id}-panel`}
          tabIndex={index === at ? 0 : -1}
          onClick={() => onPick(index)}
          onKeyDown={({ key }) => {
            if (key === 'ArrowRight') pick(at + 1)
            if (key === 'ArrowLeft') pick(at - 1)
          }}
        >
          {plain(header)}
          {answerOf(drafts[index]!) !== undefined && <Icon name="check" />}
        </button>
      ))}
    </div>
  )
}
