import type { ThreadState } from '../model/thread-state.js'
import { sendDraft, stop } from '../state/acts.js'
import type { Draft } from '../state/drafts.js'
import { focusComposer } from '../state/focus.js'
import { IconButton } from '../ui/icon-button.js'

/** Sends what is written. While a run goes on: after it, or in between; and the way to stop it. */
export function SendButtons({ state, draft }: { readonly state: ThreadState; readonly draft: Draft }) {
  const isEmpty = draft.text.value.trim() === '' && draft.images.value.length === 0
  const busy = state.busy.value
  return (
    <div class="send">
      {busy && !isEmpty && (
        <button
          type="button"
          class="button is-small"
          title="Taken at the next step (Ctrl+Enter)"
          disabled={draft.isSending.value}
          onClick={() => void sendDraft(state, 'interrupt')}
        >
          Interrupt
        </button>
      )}
      {busy && (
        <IconButton
          icon="stop"
          label="Stop"
          class="is-stop"
          onClick={() => {
            void stop(state.threadId)
            focusComposer()
          }}
        />
      )}
      {(!busy || !isEmpty) && (
        <IconButton
          icon="send"
          label={busy ? 'Send after this run' : 'Send'}
          class="is-send"
          disabled={isEmpty || draft.isSending.value}
          onClick={() => void sendDraft(state)}
        />
      )}
    </div>
  )
}
