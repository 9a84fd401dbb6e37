import { useEffect } from 'preact/hooks'
import { type EnsoThreadEvent, threadEventColumns } from '../../core/index.js'
import { calls } from '../api/calls.js'
import { plain } from '../model/plain.js'
import { useAnswer } from './use-answer.js'

/** How often it is looked at again, in milliseconds. */
const AGAIN_MS = 2000

/** What the thread's runtime said lately, and what was sent of it. */
export function ThreadTail({ threadId }: { readonly threadId: string }) {
  const { value, problem, again } = useAnswer(() => calls.events(threadId), [threadId])
  useEffect(() => {
    const timer = setTimeout(again, AGAIN_MS)
    return () => clearTimeout(timer)
  })
  if (value === undefined) {
    return (
      <p class="quiet">
        {problem === undefined ? 'Loading…' : 'The thread is at rest: it has no events until it runs.'}
      </p>
    )
  }
  return (
    <>
      <Events title="Emitted" events={value.emitted} />
      <Events title="Sent" events={value.sent} />
    </>
  )
}

function Events({ title, events }: { readonly title: string; readonly events: readonly EnsoThreadEvent[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <ul class="rows is-mono">
        {[...events]
          .slice(-200)
          .reverse()
          .map((event) => {
            const { when, provenance, subject } = threadEventColumns(event)
            return (
              <li key={event.sequence}>
                <time>{when}</time>
                <span class="quiet">{provenance}</span>
                <span class="ellipsis">{plain(subject)}</span>
              </li>
            )
          })}
      </ul>
    </section>
  )
}
