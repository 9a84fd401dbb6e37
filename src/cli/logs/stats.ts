import { createDayFold, type EnsoDayStats, jsonLine } from '../../core/index.js'
import { localDayOf } from '../../log/day.js'
import { EVERYTHING } from '../../log/line-filter.js'
import { logDays } from '../../log/log-days.js'
import { foldingShow } from '../../log/unread-line.js'
import type { Invocation } from '../commands/command.js'
import { createPalette } from '../print/palette.js'
import type { LogsOptions } from './options.js'
import { readSource } from './show.js'
import { daysHint, logSources } from './sources.js'
import { statsText } from './stats-text.js'

/** `enso logs stats`: one day, counted. */
export async function showStats({ io, parts }: Invocation, options: LogsOptions): Promise<number> {
  const now = io.clock.now()
  const [source] = await logSources(options, parts.home.logsDir, now, io.cwd)
  if (source === undefined) {
    io.stderr.write(`nothing was logged today (${localDayOf(now)}); ${daysHint(logDays(parts.home.logsDir))}\n`)
    if (!options.json) return 0
  }
  const fold = createDayFold(source?.day ?? localDayOf(now))
  const counts = source === undefined ? undefined : await readSource(source, EVERYTHING, foldingShow(fold))
  const stats: EnsoDayStats = fold.finish(counts?.malformed ?? 0).stats
  io.stdout.write(
    options.json ? `${jsonLine(stats)}\n` : statsText(stats, createPalette(io.stdout, io.env, options.color)),
  )
  return 0
}
