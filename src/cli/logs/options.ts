import { closestWord, ENSO_LOG_LEVEL_NAMES, ENSO_LOG_LEVEL_RANK, parseLogSince } from '../../core/index.js'
import { isLogDay, localDayOf } from '../../log/day.js'
import type { LogQuestion } from '../../log/line-filter.js'
import { type CommandLine, type FlagSpec, type Parsed, usageRefused } from '../args/flag.js'
import type { RunOptions } from '../run/run-options.js'

/** Records shown where nothing is asked: a screenful or two, not a day. */
export const DEFAULT_LINES = 200
/** Records shown before a follow goes on. */
export const DEFAULT_FOLLOW_LINES = 20

/** What of the logs is asked for, and how it is shown. */
export interface LogsOptions {
  readonly question: LogQuestion
  /** A day by its name; today when neither is given. */
  readonly day?: string
  /** A day file or a bundle; as typed. */
  readonly file?: string
  readonly follow: boolean
  readonly json: boolean
  /** The newest so many; `Infinity` is all. */
  readonly lines: number
  readonly color: RunOptions['color']
  /** Where a bundle goes. */
  readonly output?: string
}

/** The flags of `enso logs`. */
export const LOGS_FLAGS: readonly { readonly title: string; readonly flags: readonly FlagSpec[] }[] = [
  {
    title: 'Which records',
    flags: [
      { name: 'level', value: 'TIER', help: `at least: ${ENSO_LOG_LEVEL_NAMES.join(', ')}` },
      { name: 'thread', value: 'ID', help: 'of one thread; the beginning of its id is enough' },
      { name: 'process', value: 'NAME', help: 'of one writer: cli, server, browser' },
      { name: 'since', value: 'TIME', help: 'not older: 30s, 10m, 2h, 1d' },
      { name: 'grep', value: 'TEXT', help: 'with this text in them' },
      { name: 'day', value: 'DAY', help: 'of a day (YYYY-MM-DD, today, yesterday); today if left out' },
      { name: 'file', value: 'PATH', help: 'of this file: a day of logs, or a bundle' },
      { name: 'lines', short: 'n', value: 'N', help: `the newest N (${DEFAULT_LINES} if left out, 0 is all)` },
    ],
  },
  {
    title: 'How',
    flags: [
      { name: 'follow', short: 'f', help: 'go on with what is written from now on' },
      { name: 'json', help: 'one JSON object a line' },
      { name: 'color', value: 'WHEN', choices: ['auto', 'always', 'never'], help: 'auto, always or never' },
      { name: 'output', short: 'o', value: 'FILE', help: 'logs bundle: where to; - is stdout' },
    ],
  },
]

/** Reads the flags of `enso logs` and its subcommands. */
export function parseLogsOptions(line: CommandLine, now: number): Parsed<LogsOptions> {
  const level = line.value('level') ?? 'trace'
  const levelRank = ENSO_LOG_LEVEL_RANK[level.toLowerCase()]
  if (levelRank === undefined) {
    const meant = closestWord(level, ENSO_LOG_LEVEL_NAMES)
    return usageRefused(
      `--level takes ${ENSO_LOG_LEVEL_NAMES.join(', ')}, not '${level}'`,
      meant === undefined ? undefined : `did you mean ${meant}?`,
    )
  }
  const since = line.value('since')
  const sinceMs = since === undefined ? undefined : parseLogSince(since)
  if (since !== undefined && sinceMs === undefined) {
    return usageRefused(`--since takes a time such as 30s, 10m, 2h or 1d, not '${since}'`)
  }
  const day = dayNamed(line.value('day'), now)
  if (day !== undefined && !isLogDay(day)) return usageRefused(`'${day}' is no day`, 'a day is written as 2026-09-22')
  const rawLines = line.value('lines')
  if (rawLines !== undefined && !/^\d{1,9}$/.test(rawLines))
    return usageRefused(`--lines takes a number, not '${rawLines}'`)
  const file = line.value('file')
  const follow = line.has('follow')
  if (day !== undefined && file !== undefined) return usageRefused('--day and --file name two sources')
  if (follow && (day !== undefined || file !== undefined))
    return usageRefused("--follow follows today's log, and no other")
  const output = line.value('output')
  return {
    ok: true,
    value: {
      question: {
        levelRank,
        thread: line.value('thread'),
        process: line.value('process'),
        notBefore: sinceMs === undefined ? 0 : now - sinceMs,
        grep: line.value('grep'),
      },
      ...(day === undefined ? {} : { day }),
      ...(file === undefined ? {} : { file }),
      follow,
      json: line.has('json'),
      lines: linesOf(rawLines, follow),
      color: (line.value('color') ?? 'auto') as RunOptions['color'],
      ...(output === undefined ? {} : { output }),
    },
  }
}

function linesOf(raw: string | undefined, follow: boolean): number {
  if (raw === undefined) return follow ? DEFAULT_FOLLOW_LINES : DEFAULT_LINES
  return Number(raw) === 0 ? Infinity : Number(raw)
}

function dayNamed(name: string | undefined, now: number): string | undefined {
  if (name === 'today') return localDayOf(now)
  if (name !== 'yesterday') return name
  const today = new Date(now)
  return localDayOf(new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1).getTime())
}
