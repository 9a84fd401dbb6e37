import type { EnsoLogTailFrame } from '../../core/index.js'
import { plural } from '../../core/plural.js'
import { localDayOf } from '../../log/day.js'
import { createLogTail } from '../../log/tail.js'
import type { Invocation } from '../commands/command.js'
import type { LogsOptions } from './options.js'
import { createLogOutput } from './output.js'

const SIGNAL_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
/** Longer than any pause between two looks; its only purpose is to keep the process alive while it waits. */
const KEEP_ALIVE_MS = 60_000

/** `enso logs --follow`: today's newest records, then what is written, over midnight, until a signal or a closed stdout. */
export async function followLogs({ io, parts }: Invocation, options: LogsOptions): Promise<number> {
  const output = createLogOutput(io, options, false)
  let code = 0
  let first = true
  let behind: Promise<void> = Promise.resolve()

  const emit = (frame: EnsoLogTailFrame): void => {
    if (frame.type === 'backlog' && !first) io.stderr.write(`a new day: ${frame.day}\n`)
    if (frame.matched > frame.lines.length)
      io.stderr.write(`the last ${frame.lines.length} of ${frame.matched} records\n`)
    if (frame.malformed > 0) io.stderr.write(`${plural(frame.malformed, 'line')} no record\n`)
    first = false
    for (const line of frame.lines) output.line(line)
    behind = output.rest()
  }

  const tail = createLogTail({
    logsDir: parts.home.logsDir,
    question: options.question,
    clock: io.clock,
    emit,
    rest: () => behind,
    backlogLimit: Number.isFinite(options.lines) ? options.lines : undefined,
  })
  const stops = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) =>
    io.signals(signal, () => {
      code = SIGNAL_CODES[signal]
      tail.close()
    }),
  )
  output.gone.addEventListener('abort', () => tail.close(), { once: true })
  const keepAlive = setInterval(() => undefined, KEEP_ALIVE_MS)
  try {
    io.stderr.write(`following the log of ${localDayOf(io.clock.now())}; Ctrl-C ends\n`)
    await tail.run()
  } finally {
    clearInterval(keepAlive)
    for (const stop of stops) stop()
  }
  return code
}
