import { type EnsoLocalServer, type EnsoResultLine, type FoundLocalServer, jsonLine } from '../../core/index.js'
import type { Asked } from '../dialogs/asking.js'
import type { CliIo } from '../io.js'
import type { DialogLedger, DialogPolicyOptions } from './dialog-policy.js'
import type { RequestSource } from './run-door.js'
import type { RunOptions } from './run-options.js'
import { isOneShot } from './run-prompt.js'
import type { RunSurface } from './run-surface.js'

/** How a run speaks, how it can be answered, and where its further requests come from. */
export interface RunVoice {
  readonly surface: RunSurface
  readonly channel: DialogPolicyOptions['channel']
  /** Is there, now, a way an answer could come in? */
  readonly channelOpen: () => boolean
  /** Where requests come from beside the command line; `undefined` where there is nothing. */
  source(ledger: DialogLedger, openDialogs: () => readonly string[]): RequestSource | undefined
  /** A person's prompts come one after another: the thread opens also without a model, to log in first. */
  readonly converses?: true
  /** Asks once whether a model server of this machine may be used; absent where no person can be asked. */
  chooseLocalServer?(
    servers: readonly FoundLocalServer[],
    closed: AbortSignal,
  ): Promise<Asked<EnsoLocalServer | undefined>>
  /** The result as the one line of a process that must end at once; '' where a result is no line. */
  lastLine(result: EnsoResultLine): string
}

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
