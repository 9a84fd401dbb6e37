import { useEffect, useRef } from 'preact/hooks'
import { type EnsoThreadTimeline, threadEventColumns, timelineJoinKeys } from '../../core/index.js'
import { calls } from '../api/calls.js'
import { plain } from '../model/plain.js'
import { LogLine } from './log-lines.js'
import { useAnswer } from './use-answer.js'

/** Rows that are shown, the newest. */
const SHOWN = 400

/** A thread's events and its log records as one list, the newest last. */
export function Timeline({ threadId }: { readonly threadId: string }) {
  const { value, problem, again } = useAnswer(() => calls.timeline(threadId), [threadId])
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [value])
  if (value === undefined) return <p class="quiet">{problem === undefined ? 'Loading…' : plain(problem)}</p>
  const entries = value.entries.slice(-SHOWN)
  return (
    <>
      <p class="quiet">
        {value.entries.length > SHOWN && `The last ${SHOWN} of ${value.entries.length} rows. `}
        {value.logRecords} records of the log.{' '}
        <button type="button" class="link-button" onClick={again}>
          Look again
        </button>
      </p>
      <div class="timeline">
        {entries.map((entry, index) => (
          <Row key={index} entry={entry} />
        ))}
        <div ref={end} />
      </div>
    </>
  )
}

function Row({ entry }: { readonly entry: EnsoThreadTimeline['entries'][number] }) {
  if (entry.source === 'log') {
    const keys = Object.values(timelineJoinKeys(entry.line))
    return (
      <div class="timeline-row is-log" title={keys.join(' · ')}>
        <LogLine line={entry.line} />
      </div>
    )
  }
  const { when, provenance, subject } = threadEventColumns(entry.event)
  return (
    <div class={`timeline-row is-${entry.source}`}>
      <time>{when}</time>
      <span class="log-level">{entry.source === 'sent' ? 'sent' : provenance}</span>
      <span class="ellipsis">{plain(subject)}</span>
    </div>
  )
}
