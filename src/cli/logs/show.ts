import type { EnsoLogLine } from '../../core/index.js'
import { localDayOf } from '../../log/day.js'
import { logDays } from '../../log/log-days.js'
import { createNewest, eachLogLine, type LogShow } from '../../log/read-log.js'
import type { LogQuestion } from '../../log/line-filter.js'
import { eachTextLine } from '../../log/read-text.js'
import type { Invocation } from '../commands/command.js'
import type { LogsOptions } from './options.js'
import { createLogOutput } from './output.js'
import { daysHint, logSources, type LogSource } from './sources.js'

/** `enso logs`: the newest records that answer, oldest first, and on standard error how many there were. */
export async function showLogs({ io, parts }: Invocation, options: LogsOptions): Promise<number> {
  const { logsDir } = parts.home
  const sources = await logSources(options, logsDir, io.clock.now(), io.cwd)
  if (sources.length === 0) {
    io.stderr.write(`nothing was logged today (${localDayOf(io.clock.now())}); ${daysHint(logDays(logsDir))}\n`)
    return 0
  }
  const output = createLogOutput(io, options, sources.length > 1 || sources[0]?.day !== localDayOf(io.clock.now()))
  const newest = Number.isFinite(options.lines) ? createNewest<EnsoLogLine>(options.lines) : undefined
  const show: LogShow = newest === undefined ? output : { line: newest.add }
  let matched = 0
  let malformed = 0
  for (const source of sources) {
    const counts = await readSource(source, options.question, show, output.gone)
    matched += counts.matched
    malformed += counts.malformed
  }
  const shown = newest?.items() ?? []
  for (const line of shown) output.line(line)
  await output.rest()
  if (matched === 0) io.stderr.write(`no record of ${sourcesText(sources)} answers this\n`)
  if (newest !== undefined && matched > shown.length) {
    io.stderr.write(`the last ${shown.length} of ${matched} records; -n 0 shows all\n`)
  }
  if (malformed > 0) io.stderr.write(`${malformed} ${malformed === 1 ? 'line was' : 'lines were'} no record\n`)
  return 0
}

/** Which days or which file were looked through, in a few words. */
function sourcesText(sources: readonly LogSource[]): string {
  const names = sources.map(({ day, path }) => day ?? path)
  return names.length <= 1 ? (names[0] ?? 'no day') : `${names[0]} to ${names.at(-1)}`
}

/** Shows a source's records that answer, and counts. */
export function readSource(
  source: LogSource,
  question: LogQuestion,
  show: LogShow,
  signal?: AbortSignal,
): Promise<{ matched: number; malformed: number }> {
  if (source.text !== undefined) return eachTextLine(source.text, question, show)
  return eachLogLine(source.path, question, show, signal === undefined ? {} : { signal })
}
