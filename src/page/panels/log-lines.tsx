import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type EnsoLogLine, logLineText } from '../../core/index.js'
import { plain } from '../model/plain.js'
import type { LogRows } from './log-rows.js'

/** Rows that are in the page; older ones come on demand. */
const SHOWN = 200

/** Records, the newest last and in sight. */
export function LogLines({ rows: { rows, matched } }: { readonly rows: LogRows }) {
  const [shown, setShown] = useState(SHOWN)
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  useLayoutEffect(() => {
    if (isAtEnd.current && box.current !== null) box.current.scrollTop = box.current.scrollHeight
  })
  return (
    <div
      class="log-lines"
      role="log"
      aria-live="off"
      aria-label="Records"
      tabIndex={0}
      ref={box}
      onScroll={({ currentTarget }) => {
        isAtEnd.current = currentTarget.scrollHeight - currentTarget.scrollTop - currentTarget.clientHeight < 40
      }}
    >
      {matched > Math.min(rows.length, shown) && (
        <p class="quiet">
          The last {Math.min(rows.length, shown)} of {matched}.{' '}
          {rows.length > shown && (
            <button type="button" class="link-button" onClick={() => setShown(shown * 4)}>
              Show more
            </button>
          )}
        </p>
      )}
      {rows.length === 0 && <p class="quiet">No record fits.</p>}
      {rows.slice(-shown).map(({ key, line }) => (
        <LogLine key={key} line={line} />
      ))}
    </div>
  )
}

/** One record: when, how weighty, who, what; all of it when it is opened. */
export function LogLine({ line }: { readonly line: EnsoLogLine }) {
  const [open, setOpen] = useState(false)
  const at = /T(\d\d:\d\d:\d\d)/.exec(line['@timestamp'])?.[1] ?? line['@timestamp']
  return (
    <details
      class={`log-line is-${line.level.toLowerCase()}`}
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <time>{at}</time>
        <span class="log-level">{line.level.toLowerCase()}</span>
        <span class="log-text">{plain(logLineText(line).slice(0, 300))}</span>
      </summary>
      {open && (
        <pre tabIndex={0}>
          {plain(`${line.logger}\n${JSON.stringify(line.properties ?? {}, undefined, 2)}`.slice(0, 20_000))}
        </pre>
      )}
    </details>
  )
}
