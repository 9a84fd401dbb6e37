import { useId } from 'preact/hooks'
import type { EnsoQuestion } from '../../core/index.js'
import { plain } from '../model/plain.js'
import { type QuestionDraft, toggleOption, toggleOwn } from '../model/questionnaire.js'

interface QuestionFieldsProps {
  readonly question: EnsoQuestion
  readonly draft: QuestionDraft
  readonly onChange: (draft: QuestionDraft) => void
}

/** One question: its options, and a field for an answer that is not among them. */
export function QuestionFields({ question, draft, onChange }: QuestionFieldsProps) {
  const name = useId()
  const type = question.multiSelect ? 'checkbox' : 'radio'
  return (
    <fieldset class="question">
      <legend>{plain(question.question)}</legend>
      {question.options.map(({ label, description }) => (
        <label key={label} class="choice">
          <input
            type={type}
            name={name}
            checked={draft.selected.includes(label)}
            onChange={() => onChange(toggleOption(question, draft, label))}
          />
          <span>
            <strong>{plain(label)}</strong>
            {description !== undefined && <small>{plain(description)}</small>}
          </span>
        </label>
      ))}
      <label class="choice">
        <input type={type} name={name} checked={draft.usesOwn} onChange={() => onChange(toggleOwn(question, draft))} />
        <span>
          <strong>Other</strong>
        </span>
      </label>
      {draft.usesOwn && (
        <textarea
          class="field"
          rows={2}
          aria-label="Your own answer"
          value={draft.own}
          onInput={({ currentTarget }) => onChange({ ...draft, own: currentTarget.value })}
        />
      )}
    </fieldset>
  )
}
