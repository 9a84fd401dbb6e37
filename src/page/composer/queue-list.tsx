import { plain } from '../model/plain.js'
import type { ThreadState } from '../model/thread-state.js'
import { firstLine } from '../model/words.js'

/** Prompts that wait: those that are taken at the next step, and those that are taken after the run. */
export function QueueList({ state }: { readonly state: ThreadState }) {
  const { interrupting, enqueued } = state.queue.value
  if (interrupting.length + enqueued.length === 0) return null
  return (
    <ul class="queue" aria-label="Prompts that wait">
      {interrupting.map((text, index) => (
        <li key={`i${index}`}>
          <span class="tag">next</span> <span class="ellipsis">{firstLine(plain(text.slice(0, 500)), 160)}</span>
        </li>
      ))}
      {enqueued.map((text, index) => (
        <li key={`e${index}`}>
          <span class="tag">after</span> <span class="ellipsis">{firstLine(plain(text.slice(0, 500)), 160)}</span>
        </li>
      ))}
    </ul>
  )
}
