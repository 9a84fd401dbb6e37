import { useEffect, useMemo, useState } from 'preact/hooks'
import { useSignal } from '@preact/signals'
import { ENSO_LOG_LEVEL_NAMES, type EnsoLogTailFrame } from '../../core/index.js'
import { queryOf } from '../api/calls.js'
import { longRead } from '../api/long-read.js'
import { soon } from '../state/clock.js'
import { LogLines } from './log-lines.js'
import { NO_ROWS, withFrame } from './log-rows.js'

/** How long somebody may go on typing before it is asked, in milliseconds. */
const TYPING_MS = 300

/** Today's log as it is written, narrowed by level, thread and words. */
export function LogTail({ threadId }: { readonly threadId: string | undefined }) {
  const [level, setLevel] = useState<string>('info')
  const [onlyThread, setOnlyThread] = useState(threadId !== undefined)
  const [typed, setTyped] = useState('')
  const [words, setWords] = useState('')
  const rows = useSignal(NO_ROWS)
  useEffect(() => {
    const timer = setTimeout(() => setWords(typed.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])

  const thread = onlyThread ? threadId : undefined
  const tail = useMemo(() => {
    rows.value = NO_ROWS
    let waiting: EnsoLogTailFrame[] = []
    const draw = (): void => {
      rows.value = waiting.reduce(withFrame, rows.peek())
      waiting = []
    }
    return longRead({
      path: () => {
        const { day, offset } = rows.peek()
        const from = offset === undefined ? undefined : String(offset)
        return `/api/logs/tail${queryOf({ level, thread, grep: words, day: from && day, from })}`
      },
      onData: (data) => {
        if (waiting.length === 0) soon(draw)
        waiting.push(JSON.parse(data) as EnsoLogTailFrame)
      },
    })
  }, [level, thread, words])
  useEffect(() => () => tail.close(), [tail])

  const connection = tail.connection.value
  return (
    <>
      <div class="filters">
        <select
          class="field"
          aria-label="Level"
          value={level}
          onChange={({ currentTarget }) => setLevel(currentTarget.value)}
        >
          {ENSO_LOG_LEVEL_NAMES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <input
          class="field"
          type="search"
          aria-label="Words"
          placeholder="Words to look for"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        {threadId !== undefined && (
          <label class="check">
            <input
              type="checkbox"
              checked={onlyThread}
              onChange={({ currentTarget }) => setOnlyThread(currentTarget.checked)}
            />
            this thread
          </label>
        )}
      </div>
      {connection.kind === 'refused' && <p class="problem">{connection.reason}</p>}
      {connection.kind === 'waiting' && <p class="quiet">The connection is lost; trying again…</p>}
      <LogLines rows={rows.value} />
    </>
  )
}
