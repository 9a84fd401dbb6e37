import { logLineText } from '../core/log-tail.js'
import type { EnsoLogLine } from '../core/log.js'

/** How a line is drawn for a person. */
export interface PrettyLineOptions {
  readonly color: boolean
  /** The date as well as the time. */
  readonly date?: boolean
}

const COLORS: Readonly<Record<EnsoLogLine['level'], number>> = {
  TRACE: 90,
  DEBUG: 34,
  INFO: 32,
  WARN: 33,
  ERROR: 31,
  FATAL: 35,
}

/** Drawn from the properties elsewhere in the line, or of no interest to a person. */
const SHOWN_ELSEWHERE = new Set(['threadId', 'process', 'pid'])
const MAX_VALUE_LENGTH = 240

/** Control characters as visible text: what a log quotes must not drive the terminal it is read on. */
export function withoutControls(text: string): string {
  return text.replace(
    /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** `12:03:04.123 INFO  host.feed [thread] run 1 acquired  seq=4`, on the reader's local clock, one line, no newline. */
export function prettyLogLine(line: EnsoLogLine, { color, date = false }: PrettyLineOptions): string {
  const properties = line.properties ?? {}
  const paint = (code: number, text: string): string =>
    color && text !== '' ? `\u001b[${code}m${text}\u001b[39m` : text
  const threadId = properties['threadId']
  const thread = typeof threadId === 'string' ? `[${withoutControls(threadId.slice(0, 8))}] ` : ''
  const head = [
    paint(90, timeText(line['@timestamp'], date)),
    paint(COLORS[line.level], line.level.padEnd(5)),
    paint(90, withoutControls(line.logger.replace(/^enso\./, ''))),
  ].join(' ')
  const rest = restOf(line, properties)
  return `${head} ${paint(36, thread)}${withoutControls(logLineText(line))}${rest === '' ? '' : paint(90, `  ${rest}`)}`
}

function timeText(timestamp: string, date: boolean): string {
  const at = new Date(timestamp)
  if (Number.isNaN(at.getTime())) return withoutControls(timestamp)
  const two = (value: number): string => String(value).padStart(2, '0')
  const time = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, '0')}`
  return date ? `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${time}` : time
}

function restOf(line: EnsoLogLine, properties: Readonly<Record<string, unknown>>): string {
  const parts: string[] = []
  const inMessage = new Set([...(line.message ?? '').matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name?.trim()))
  for (const [name, value] of Object.entries(properties)) {
    if (SHOWN_ELSEWHERE.has(name) || inMessage.has(name)) continue
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    const short =
      text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}… (${text.length} characters)` : text
    parts.push(withoutControls(`${name}=${/[\s"=]/.test(short) ? JSON.stringify(short) : short}`))
  }
  return parts.join(' ')
}
