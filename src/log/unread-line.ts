import { FOLDED_KINDS, isFoldedMessage, type DayFold } from '../core/log-day-fold.js'
import { ENSO_LOG_EVENTS } from '../core/log-events.js'
import type { LogShow } from './read-log.js'
import { createAbsence, createTemplateTable, hasOurForm, isAt, LEVEL_AT, LINE_BEGIN, timeOfLine } from './line-form.js'

/** Who wrote a line. */
export interface LineWriter {
  readonly process: string
  readonly pid: number
}

/** Judges a line of a day: its writer where statistics need nothing else of it, or nothing where it has to be parsed. */
export type UnreadLine = (buffer: Buffer, start: number, end: number) => LineWriter | undefined

const FOLDED = FOLDED_KINDS.map((kind) => Buffer.from(`${kind}"`))
const KIND_KEY = Buffer.from('"kind":"')
const AT_SIGN = 0x40
const SMALL_K = 0x6b
const OPENING_BRACE = 0x7b
const OPENING_BRACKET = 0x5b
const WRITER = /"process":"([^"\\]+)","pid":(\d{1,15})\}\}$/
/** The writer's names and the braces behind them are no longer than this. */
const MAX_TAIL_BYTES = 256
const MAX_WRITERS = 64

/**
 * A judge of raw lines. Payloads and the observations that are only counted make up most of a day; a line of our own
 * form says at its end who wrote it. Two lines that a torn one glued together, and blocks that a crash left as NULs, are
 * parsed, so that they count as what they are.
 */
export function createUnreadLine(): UnreadLine {
  const parsedMessages = createTemplateTable((template) =>
    template === ENSO_LOG_EVENTS.observation ? 'by kind' : isFoldedMessage(template),
  )
  const hasNoNul = createAbsence(Buffer.from('\0'))
  const writers: { readonly tail: Buffer; readonly writer: LineWriter }[] = []

  const writerOf = (buffer: Buffer, start: number, end: number): LineWriter | undefined => {
    for (const known of writers) if (isAt(buffer, end - known.tail.length, known.tail)) return known.writer
    const found = WRITER.exec(buffer.toString('latin1', Math.max(start, end - MAX_TAIL_BYTES), end))
    if (found?.[1] === undefined || /[\x80-\xff]/.test(found[1])) return undefined
    const writer = { process: found[1], pid: Number(found[2]) }
    if (writers.length < MAX_WRITERS) writers.push({ tail: Buffer.from(found[0], 'latin1'), writer })
    return writer
  }

  return (buffer, start, end) => {
    if (!hasOurForm(buffer, start, end)) return undefined
    const parsed = parsedMessages.of(buffer, start, end)
    if (parsed === undefined || parsed === true) return undefined
    if (parsed === 'by kind' && !isOnlyCounted(buffer, start + LEVEL_AT, end)) return undefined
    if (!hasNoNul(buffer, start, end) || isGlued(buffer, start, end)) return undefined
    return writerOf(buffer, start, end)
  }
}

/** Is it told that the line's kind is none of those that count, before anything nested could have a kind as well? */
function isOnlyCounted(buffer: Buffer, from: number, end: number): boolean {
  let depth = 0
  for (let at = from; at < end; at++) {
    const byte = buffer[at]
    if (byte === OPENING_BRACKET) return false
    // The template's own brace, and that of the properties.
    if (byte === OPENING_BRACE && ++depth > 2) return false
    if (byte !== SMALL_K || !isAt(buffer, at - 1, KIND_KEY)) continue
    for (const folded of FOLDED) if (isAt(buffer, at - 1 + KIND_KEY.length, folded)) return false
    return true
  }
  return false
}

/** Does another line begin inside this one? The sign in its first name is rarer than anything else in it. */
function isGlued(buffer: Buffer, start: number, end: number): boolean {
  const own = LINE_BEGIN.indexOf(AT_SIGN)
  for (let at = buffer.indexOf(AT_SIGN, start + own + 1); at !== -1 && at < end; at = buffer.indexOf(AT_SIGN, at + 1)) {
    if (isAt(buffer, at - own, LINE_BEGIN)) return true
  }
  return false
}

/** Where a fold's records go: lines that it only counts are not parsed. */
export function foldingShow(fold: DayFold): LogShow {
  const writerOf = createUnreadLine()
  return {
    line: fold.add,
    unread(buffer, start, end) {
      const writer = writerOf(buffer, start, end)
      if (writer === undefined) return false
      fold.pass(timeOfLine(buffer, start), writer.process, writer.pid)
      return true
    },
  }
}
