import { useEffect, useRef } from 'preact/hooks'
import type { ThreadState } from '../model/thread-state.js'
import { plain } from '../model/plain.js'
import { sayNow } from '../state/speech.js'
import { focusComposer } from '../state/focus.js'
import { askToNotify, mayAskToNotify } from '../state/notify.js'
import { lazy } from '../ui/lazy.js'

const DialogCard = lazy(() => import('./dialog-card.js').then(({ DialogCard }) => DialogCard))

/** The questions that wait, the oldest first. */
export function DialogCards({ state }: { readonly state: ThreadState }) {
  const dialogs = state.dialogs.value
  const newest = dialogs.at(-1)
  useEffect(() => {
    if (newest !== undefined) sayNow(`A question waits: ${plain(newest.dialog.title)}`)
  }, [newest?.id])
  useFocusKept(dialogs.length)
  if (dialogs.length === 0) return null
  return (
    <section class="cards" aria-label="Questions that wait">
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

/** A card that leaves with the focus in it leaves it to the composer, not to nothing. */
function useFocusKept(count: number): void {
  const wasInCards = useRef(false)
  useEffect(() => {
    const follow = ({ target }: FocusEvent): void => {
      wasInCards.current = target instanceof Element && target.closest('.cards') !== null
    }
    addEventListener('focusin', follow)
    return () => removeEventListener('focusin', follow)
  }, [])
  useEffect(() => {
    const isNowhere = document.activeElement === null || document.activeElement === document.body
    if (wasInCards.current && isNowhere) focusComposer()
  }, [count])
}
