import type { ThreadState } from '../model/thread-state.js'
import { seconds } from '../state/clock.js'
import { putBack } from '../state/drafts.js'
import { plainTextOf } from '../model/messages.js'

/** What goes on below the last message: work, a retry that is waited for, or an end that was cut. */
export function Activity({ state }: { readonly state: ThreadState }) {
  if (!state.loaded.value) return <p class="activity quiet">Loading…</p>
  if (state.retry.value !== undefined) return <Retry state={state} />
  if (!state.busy.value) return <Interrupted state={state} />
  if (state.dialogs.value.length > 0) return <p class="activity">Waiting for your answer</p>
  const isWriting = state.current.value?.role === 'assistant' && state.current.value.usage === undefined
  if (isWriting && (state.current.value?.parts.length ?? 0) > 0 && !state.compacting.value) return null
  return (
    <p class="activity">
      <span class="dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      {state.compacting.value ? 'Making a summary of the conversation' : 'Working'}
    </p>
  )
}

function Retry({ state }: { readonly state: ThreadState }) {
  const retry = state.retry.value
  if (retry === undefined) return null
  const left = Math.max(0, Math.ceil((retry.at - seconds.value) / 1000))
  return (
    <p class="activity" role="status">
      <span class="spinner" aria-hidden="true" />
      Retry {retry.attempt} of {retry.maxAttempts} {left > 0 ? `in ${left} s` : 'now'}
    </p>
  )
}

const ENDS = {
  'unanswered-prompt': 'The last prompt has no reply: whatever ran it ended before one was written.',
  'tool-call-without-result': 'The last reply was cut: one of its tools never said how it ended.',
} as const

function Interrupted({ state }: { readonly state: ThreadState }) {
  const end = state.interrupted.value
  if (end === undefined) return null
  const last = state.messages.value.findLast(({ role }) => role === 'user')
  return (
    <div class="note is-warning" role="note">
      <p>{ENDS[end]}</p>
      {last !== undefined && end === 'unanswered-prompt' && (
        <button type="button" class="link-button" onClick={() => putBack(state.threadId, [plainTextOf(last)])}>
          Write it again
        </button>
      )}
    </div>
  )
}
