import { groups } from '../state/lists.js'
import { openForm } from '../state/forms.js'
import { isRailOpen } from '../state/shell.js'
import { Icon } from '../ui/icon.js'

/** What is there before a thread is chosen. */
export function Welcome() {
  const hasThreads = groups.value.some(({ rows }) => rows.length > 0)
  return (
    <div class="welcome">
      <svg class="locked-mark" viewBox="0 0 32 32" aria-hidden="true">
        <path d="M24 8a11 11 0 1 0 3 8" />
      </svg>
      <h1>What shall we do?</h1>
      <p class="quiet">
        {hasThreads ? 'Choose a thread, or begin a new one.' : 'Begin a thread in one of your projects.'}
      </p>
      <button type="button" class="button is-main" onClick={() => openForm({ kind: 'thread' })}>
        <Icon name="plus" /> New thread
      </button>
      <button type="button" class="link-button only-narrow" onClick={() => (isRailOpen.value = true)}>
        Show the threads
      </button>
    </div>
  )
}
