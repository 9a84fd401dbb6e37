import { ENSO_LOG_LEVEL_RANK, logLineMatches } from '../core/log-tail.js'
import type { EnsoLogFilter } from '../core/log-tail.js'
import { parseLogLine } from '../core/log-parse.js'
import type { EnsoLogLine } from '../core/log.js'
import { createLineGrep } from './grep-line.js'
import { createAbsence, hasOurForm, isLineBefore, LEVEL_AT } from './line-form.js'

/** A reader's question, with text to look for. */
export interface LogQuestion extends EnsoLogFilter {
  /** Wanted only with this text in its message, its logger's name or a property, there also inside data. */
  readonly grep?: string | undefined
}

/** What became of a line. `skipped` is one that can't match, told without parsing it. */
export type LineVerdict = EnsoLogLine | 'skipped' | 'other' | 'malformed'

/** Looks at a line that may answer before it is parsed; true when it needs no parsing. */
export type UnreadLook = (buffer: Buffer, start: number, end: number) => boolean

/** Every record of a file. */
export const EVERYTHING: LogQuestion = { levelRank: 0, thread: undefined, process: undefined, notBefore: 0 }

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
 * the level and the time at their fixed places, and by the thread's and the process's name and the text that is looked
 * for where those bytes are not in the line at all. What `unread` takes is skipped as well.
 */
export function createLineJudge(
  question: LogQuestion,
  unread?: UnreadLook,
): (buffer: Buffer, start: number, end: number) => LineVerdict {
  const notBefore = question.notBefore > 0 ? Buffer.from(new Date(question.notBefore).toISOString()) : undefined
  const names = [question.thread, question.process].filter((name) => name !== undefined && isPlainName(name))
  const absences = names.map((name) => createAbsence(Buffer.from(`"${name}`)))

  const grep = question.grep === undefined ? undefined : createLineGrep(question.grep)

  const narrows = question.levelRank > 0 || notBefore !== undefined || absences.length > 0
  const matchesAll = !narrows && question.thread === undefined && question.process === undefined

  const cannotMatch = (buffer: Buffer, start: number, end: number): boolean => {
    if (!hasOurForm(buffer, start, end)) return false
    const rank = RANK_BY_LETTER[buffer[start + LEVEL_AT] ?? 0]
    if (rank !== undefined && rank < question.levelRank) return true
    if (notBefore !== undefined && isLineBefore(buffer, start, notBefore)) return true
    if (absences.some((isAbsent) => isAbsent(buffer, start, end))) return true
    return grep?.isAbsent(buffer, start, end) === true
  }

  return (buffer, start, end) => {
    if ((narrows || grep !== undefined) && cannotMatch(buffer, start, end)) return 'skipped'
    if (unread?.(buffer, start, end) === true) return 'skipped'
    const line = parseLogLine(buffer.toString('utf8', start, end))
    if (line === undefined) return 'malformed'
    if (!matchesAll && !logLineMatches(question, line)) return 'other'
    return grep === undefined || grep.isIn(line) ? line : 'other'
  }
}

/** A name that JSON writes as it is. */
function isPlainName(name: string): boolean {
  return /^[\w-]+$/.test(name)
}
