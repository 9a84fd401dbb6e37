import { polite, urgent } from '../state/speech.js'

/** What a screen reader says of what happens. */
export function Speech() {
  return (
    <>
      <div class="hidden" aria-live="polite" aria-atomic="true">
        {polite.value}
      </div>
      <div class="hidden" aria-live="assertive" aria-atomic="true">
        {urgent.value}
      </div>
    </>
  )
}
