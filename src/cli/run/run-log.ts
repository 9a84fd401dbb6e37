import { ensoLogger, type EnsoResultLine } from '../../core/index.js'

const log = ensoLogger('host', 'run')

/** What a log has to say of a run's surroundings, for whoever finds it on another machine. */
export interface RunSurroundings {
  readonly version: string
  readonly cwd: string
  /** The model that was asked for, if one was. */
  readonly model: string | undefined
}

/** The first word of a run in the log. */
export function logRunBegin({ version, cwd, model }: RunSurroundings): void {
  log.info('enso {version} on node {node}, {platform}, in {cwd}', {
    version,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    cwd,
    ...(model === undefined ? {} : { model }),
  })
}

/** The last one: how it ended and why. Whatever is not done is worth a look. */
export function logRunEnd(result: EnsoResultLine): void {
  const { outcome, exitCode, reason, threadId, turns, durationMs, cost, denials, dialogs, limit } = result
  log[outcome === 'done' ? 'info' : 'warn'](
    reason === undefined
      ? 'the run ended as {outcome}, exit code {exitCode}'
      : 'the run ended as {outcome}, exit code {exitCode}: {reason}',
    {
      outcome,
      exitCode,
      ...(reason === undefined ? {} : { reason }),
      ...(threadId === null ? {} : { threadId }),
      turns,
      durationMs,
      cost,
      ...(Object.keys(denials).length === 0 ? {} : { denials }),
      ...(Object.values(dialogs).every((count) => count === 0) ? {} : { dialogs }),
      ...(limit === undefined ? {} : { limit }),
    },
  )
}
