import { ENSO_LOG_LEVEL_RANK, logLineMatches, logLineText } from '../core/log-tail.js'
import type { EnsoLogFilter } from '../core/log-tail.js'
import { parseLogLine } from '../core/log-parse.js'
import type { EnsoLogLine } from '../core/log.js'

/** A reader's question, with text to look for. */
export interface LogQuestion extends EnsoLogFilter {
  /** Wanted only with this text in its message, its logger's name or the value of a property. */
  readonly grep?: string | undefined
}

/** What became of a line. `skipped` is one that can't match, told without parsing it. */
export type LineVerdict = EnsoLogLine | 'skipped' | 'other' | 'malformed'

/** Every record of a file. */
export const EVERYTHING: LogQuestion = { levelRank: 0, thread: undefined, process: undefined, notBefore: 0 }

// What our own writer's lines begin with; the level's first letter and the time stand at fixed places.
const PREFIX = Buffer.from('{"@timestamp":"')
const TIME_LENGTH = 24
const LEVEL_KEY = Buffer.from('","level":"')
const LEVEL_AT = PREFIX.length + TIME_LENGTH + LEVEL_KEY.length
const CLOSING_BRACE = 0x7d

const RANK_BY_LETTER: readonly (number | undefined)[] = letterRanks()

function letterRanks(): (number | undefined)[] {
  const ranks: (number | undefined)[] = []
  for (const name of ['trace', 'debug', 'info', 'warn', 'error', 'fatal']) {
    ranks[name.toUpperCase().charCodeAt(0)] = ENSO_LOG_LEVEL_RANK[name]
  }
  return ranks
}

/**
 * A judge of raw lines for one question. Lines in our own writer's form that can't match are passed over unparsed: by
 * the level and the time at their fixed places, and by the thread's and the process's name where those bytes are not in
 * the line at all.
 */
export function createLineJudge(question: LogQuestion): (buffer: Buffer, start: number, end: number) => LineVerdict {
  const notBefore = question.notBefore > 0 ? Buffer.from(new Date(question.notBefore).toISOString()) : undefined
  const names = [question.thread, question.process].filter((name) => name !== undefined && isPlainName(name))
  const absences = names.map((name) => createAbsence(Buffer.from(`"${name}`)))

  const narrows = question.levelRank > 0 || notBefore !== undefined || absences.length > 0
  const matchesAll = !narrows && question.thread === undefined && question.process === undefined

  const cannotMatch = (buffer: Buffer, start: number, end: number): boolean => {
    if (!hasOurForm(buffer, start, end)) return false
    const rank = RANK_BY_LETTER[buffer[start + LEVEL_AT] ?? 0]
    if (rank !== undefined && rank < question.levelRank) return true
    if (notBefore !== undefined && isBefore(buffer, start + PREFIX.length, notBefore)) return true
    return absences.some((isAbsent) => isAbsent(buffer, start, end))
  }

  return (buffer, start, end) => {
    if (narrows && cannotMatch(buffer, start, end)) return 'skipped'
    const text = buffer.toString('utf8', start, end)
    const line = parseLogLine(text)
    if (line === undefined) return 'malformed'
    if (!matchesAll && !logLineMatches(question, line)) return 'other'
    return question.grep === undefined || holdsText(line, text, question.grep) ? line : 'other'
  }
}

/** A value that holds the text shows it in the line itself; only a message is put together from pieces. */
function holdsText(line: EnsoLogLine, stored: string, text: string): boolean {
  if (logLineText(line).includes(text)) return true
  if (!stored.includes(text) && !stored.includes(JSON.stringify(text).slice(1, -1))) return false
  const values = Object.values(line.properties ?? {})
  return (
    line.logger.includes(text) ||
    values.some((value) => (typeof value === 'string' ? value : JSON.stringify(value)).includes(text))
  )
}

/** A name that JSON writes as it is. */
function isPlainName(name: string): boolean {
  return /^[\w-]+$/.test(name)
}

function hasOurForm(buffer: Buffer, start: number, end: number): boolean {
  return (
    end - start > LEVEL_AT &&
    buffer[end - 1] === CLOSING_BRACE &&
    buffer.compare(PREFIX, 0, PREFIX.length, start, start + PREFIX.length) === 0 &&
    buffer.compare(LEVEL_KEY, 0, LEVEL_KEY.length, start + LEVEL_AT - LEVEL_KEY.length, start + LEVEL_AT) === 0
  )
}

function isBefore(buffer: Buffer, at: number, limit: Buffer): boolean {
  return buffer.compare(limit, 0, limit.length, at, at + TIME_LENGTH) < 0
}

/**
 * Tells lines without a needle, for lines in the order of their buffer: the buffer is searched from hit to hit, so that
 * most lines cost a comparison.
 */
function createAbsence(needle: Buffer): (buffer: Buffer, start: number, end: number) => boolean {
  let searched: Buffer | undefined
  let lastEnd = 0
  let hit = 0
  return (buffer, start, end) => {
    const anew = buffer !== searched || start < lastEnd
    searched = buffer
    lastEnd = end
    if (anew || (hit !== -1 && hit < start)) hit = buffer.indexOf(needle, start)
    return hit === -1 || hit >= end
  }
}
