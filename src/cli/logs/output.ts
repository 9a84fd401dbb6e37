import { type EnsoLogLine, jsonLine } from '../../core/index.js'
import { prettyLogLine } from '../../log/pretty-line.js'
import type { CliIo } from '../io.js'
import { isColoured } from '../print/palette.js'
import type { LogsOptions } from './options.js'

/** Where records are shown. */
export interface LogOutput {
  line(line: EnsoLogLine): void
  /** Resolves when the reader can take more; at once when it can. */
  rest(): Promise<void>
  /** Aborted when the reader has gone (`| head`). */
  readonly gone: AbortSignal
}

/** Standard output as records: pretty lines for a person, JSON lines for a program. */
export function createLogOutput(
  io: CliIo,
  { json, color }: Pick<LogsOptions, 'json' | 'color'>,
  date: boolean,
): LogOutput {
  const { stdout } = io
  const gone = new AbortController()
  const pretty = { color: !json && isColoured(stdout, io.env, color), date }
  let waiting = ''
  stdout.once('error', () => gone.abort())
  stdout.once('close', () => gone.abort())

  const write = (): boolean => {
    const text = waiting
    waiting = ''
    return text === '' || gone.signal.aborted || stdout.write(text)
  }

  return {
    line(line) {
      waiting += `${json ? jsonLine(line) : prettyLogLine(line, pretty)}\n`
    },
    async rest() {
      if (write()) return
      await new Promise<void>((resolve) => {
        stdout.once('drain', resolve)
        gone.signal.addEventListener('abort', () => resolve(), { once: true })
      })
    },
    gone: gone.signal,
  }
}
