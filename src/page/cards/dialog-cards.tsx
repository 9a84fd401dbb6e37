import { useEffect } from 'preact/hooks'
import type { ThreadState } from '../model/thread-state.js'
import { plain } from '../model/plain.js'
import { sayNow } from '../state/speech.js'
import { askToNotify, mayAskToNotify } from '../state/notify.js'
import { lazy } from '../ui/lazy.js'
import { answeringWatch, useFocusKept } from './card-focus.js'

const DialogCard = lazy(() => import('./dialog-card.js').then(({ DialogCard }) => DialogCard))

/** The questions that wait, the oldest first. */
export function DialogCards({ state }: { readonly state: ThreadState }) {
  const dialogs = state.dialogs.value
  const newest = dialogs.at(-1)
  useEffect(() => {
    if (newest !== undefined) sayNow(`A question waits: ${plain(newest.dialog.title)}`)
  }, [newest?.id])
  const cards = useFocusKept(dialogs.map(({ id }) => id).join(' '))
  if (dialogs.length === 0) return null
  return (
    <section class="cards" aria-label="Questions that wait" ref={cards} {...answeringWatch}>
      {dialogs.map((dialog) => (
        <DialogCard key={dialog.id} threadId={state.threadId} open={dialog} />
      ))}
      {mayAskToNotify.value && (
        <button type="button" class="link-button" onClick={() => void askToNotify()}>
          Tell me about questions when this tab is in the background
        </button>
      )}
    </section>
  )
}
