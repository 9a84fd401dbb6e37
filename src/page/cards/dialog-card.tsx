import { useId, useRef } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { calls } from '../api/calls.js'
import { plain } from '../model/plain.js'
import type { PageDialog } from '../model/thread-state.js'
import { seconds } from '../state/clock.js'
import { Icon } from '../ui/icon.js'
import { useFocusTaken } from './card-focus.js'
import type { CardAnswer } from './card-props.js'
import { ConfirmCard } from './confirm-card.js'
import { EditorCard } from './editor-card.js'
import { InputCard } from './input-card.js'
import { QuestionnaireCard } from './questionnaire-card.js'
import { SelectCard } from './select-card.js'

/** One question. It stays until it is settled, by whomever; a refused answer says why and leaves it open. */
export function DialogCard({ threadId, open }: { readonly threadId: string; readonly open: PageDialog }) {
  const { id, dialog } = open
  const titleId = useId()
  const problem = useSignal<string | undefined>(undefined)
  const busy = useSignal(false)
  const card = useRef<HTMLElement>(null)
  useFocusTaken(card)

  // A button that was disabled would lose the focus to nowhere: a second answer is passed over instead.
  const answer = async (given: CardAnswer): Promise<void> => {
    if (busy.peek()) return
    busy.value = true
    problem.value = undefined
    const taken = await calls.dialog(threadId, { id, ...given })
    busy.value = false
    if (!taken.ok) problem.value = taken.status === 404 ? 'This question is over already.' : plain(taken.reason)
  }
  const props = { busy: busy.value, answer: (given: CardAnswer) => void answer(given) }
  return (
    <section class="card" role="group" aria-labelledby={titleId} tabIndex={-1} ref={card}>
      <header class="card-head">
        <Icon name="question" />
        <h2 id={titleId}>{plain(dialog.title)}</h2>
        <Countdown endsAt={open.endsAt} isMost={open.isMost === true} />
      </header>
      {dialog.method === 'select' && <SelectCard dialog={dialog} {...props} />}
      {dialog.method === 'confirm' && <ConfirmCard dialog={dialog} {...props} />}
      {dialog.method === 'input' && <InputCard dialog={dialog} {...props} />}
      {dialog.method === 'editor' && <EditorCard dialog={dialog} {...props} />}
      {dialog.method === 'questionnaire' && <QuestionnaireCard dialog={dialog} {...props} />}
      <p class="problem" role="alert">
        {problem.value}
      </p>
    </section>
  )
}

function Countdown({ endsAt, isMost }: { readonly endsAt: number | undefined; readonly isMost: boolean }) {
  if (endsAt === undefined) return null
  // The page's clock ticks each second and may be one behind.
  const left = Math.max(0, Math.ceil((endsAt - Math.max(seconds.value, Date.now())) / 1000))
  const text = left >= 60 ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}` : `${left} s`
  return (
    <span class={left <= 10 ? 'countdown is-short' : 'countdown'} role="timer" aria-label={`ends by itself in ${text}`}>
      <Icon name="clock" /> {isMost ? 'at most ' : ''}
      {text}
    </span>
  )
}
