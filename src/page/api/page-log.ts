import type { EnsoBrowserLogBatch, EnsoLogLine } from '../../core/index.js'
import { ask } from './http.js'
import { token } from './token.js'

type BrowserRecord = EnsoBrowserLogBatch['records'][number]

/** How long records wait for others, in milliseconds. */
const GATHER_MS = 2000
/** The most records that wait, and that are kept for a bundle. */
const KEPT = 200

/** One tab's name in the log. */
const page = `tab-${Math.random().toString(36).slice(2, 8)}`

let waiting: BrowserRecord[] = []
let timer: ReturnType<typeof setTimeout> | undefined
const kept: BrowserRecord[] = []

/** Writes a record to the server's log, with others. A page that can't reach its server keeps the newest. */
export function pageLog(
  level: BrowserRecord['level'],
  part: string,
  message: string,
  properties: Record<string, unknown> = {},
): void {
  const record = { at: new Date().toISOString(), level, logger: `enso.browser.${part}`, message, properties }
  waiting = [...waiting.slice(-(KEPT - 1)), record]
  kept.push(record)
  if (kept.length > KEPT) kept.shift()
  timer ??= setTimeout(() => void flush(), GATHER_MS)
}

async function flush(): Promise<void> {
  timer = undefined
  if (token.peek() === undefined || waiting.length === 0) return
  const records = waiting
  waiting = []
  const answer = await ask('POST', '/api/logs', { body: { page, records } })
  if (!answer.ok && answer.status === 0) waiting = [...records, ...waiting].slice(-KEPT)
}

/** This page's newest records, as the log's file has them. */
export function keptRecords(): EnsoLogLine[] {
  const levels = { info: 'INFO', warning: 'WARN', error: 'ERROR' } as const
  return kept.map(({ at, level, logger, message, properties }) => ({
    '@timestamp': at,
    level: levels[level],
    logger,
    message,
    properties: { ...properties, page },
  }))
}

/** Errors nobody caught are written down. */
export function logFaults(): void {
  addEventListener('error', ({ message, filename, lineno }) => {
    pageLog('error', 'fault', '{error}', { error: message, at: `${filename}:${lineno}` })
  })
  addEventListener('unhandledrejection', ({ reason }) => {
    pageLog('error', 'fault', '{error}', { error: reason instanceof Error ? reason.message : String(reason) })
  })
}
