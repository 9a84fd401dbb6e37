import { type EnsoResultLine, jsonLine } from '../../core/index.js'
import type { CliIo } from '../io.js'
import type { RunOptions } from './run-options.js'
import { isOneShot } from './run-prompt.js'
import type { RunVoice } from './run-voice.js'

const lineOf = (result: EnsoResultLine): string => `${jsonLine(result)}\n`

/** The voice of `--json`: lines out, request lines in, unless standard input is the prompt itself. */
async function jsonLinesVoice(options: RunOptions, io: CliIo): Promise<RunVoice> {
  const { createJsonSurface } = await import('../json/json-surface.js')
  const surface = createJsonSurface({ stdout: io.stdout, stderr: io.stderr, quiet: options.quiet })
  if (options.promptFromStdin) {
    return { surface, channel: 'nobody', channelOpen: () => false, source: () => undefined, lastLine: lineOf }
  }
  const { createRequestLines } = await import('../json/requests.js')
  return {
    surface,
    channel: 'lines',
    channelOpen: () => !io.stdin.readableEnded && !io.stdin.destroyed,
    source: (ledger, openDialogs) =>
      createRequestLines({
        stdin: io.stdin,
        surface,
        ledger,
        openDialogs,
        oneShot: isOneShot(options),
        stopOnEof: options.stopOnEof,
      }),
    lastLine: lineOf,
  }
}

/** The voice of `--output-format json`: one object at the end, and nobody to ask. */
async function jsonResultVoice(options: RunOptions, io: CliIo): Promise<RunVoice> {
  const { createJsonResultSurface } = await import('../json/json-surface.js')
  return {
    surface: createJsonResultSurface({ stdout: io.stdout, stderr: io.stderr, quiet: options.quiet }),
    channel: 'nobody',
    channelOpen: () => false,
    source: () => undefined,
    lastLine: lineOf,
  }
}

/** The voice that a run's options ask for; what the others need is not loaded. */
export async function runVoice(options: RunOptions, io: CliIo, tmpDir: string): Promise<RunVoice> {
  if (options.output === 'json-lines') return jsonLinesVoice(options, io)
  if (options.output === 'json-result') return jsonResultVoice(options, io)
  const { createTextVoice } = await import('../print/text-voice.js')
  return createTextVoice(options, io, tmpDir)
}
