import type { EnsoFollowFrame, EnsoLocalServer, FoundLocalServer } from '../../core/index.js'
import type { Asked } from '../dialogs/asking.js'
import type { TerminalDialogs } from '../dialogs/terminal-dialogs.js'
import type { CliIo, CliTerminal } from '../io.js'
import type { DialogLedger } from '../run/dialog-policy.js'
import type { RequestSource, RunDoor } from '../run/run-door.js'
import type { RunOptions } from '../run/run-options.js'
import type { RunVoice } from '../run/run-voice.js'
import { createPalette } from './palette.js'
import { terminalOutput } from './terminal-output.js'
import { createPrintSurface, type PrintSurface } from './print-surface.js'

/** What a conversation is built from: it is one more thing that takes turns on the terminal. */
export interface ConversationKit {
  readonly terminal: CliTerminal
  readonly surface: PrintSurface
}

/** A person's prompts on a terminal, one after another. */
export interface Conversation extends Required<RequestSource> {
  /** Leaves the terminal to a question; the returned function goes on where it was. */
  pause(): Promise<() => void>
}

/** What makes a text run a conversation. */
export type StartConversation = (kit: ConversationKit) => Conversation

/**
 * The voice of a text run: words out, and a person to ask where there is a terminal. With `converse` the person's
 * further prompts come from that terminal too. `tmpDir` is where a text lies while an editor has it.
 */
export async function createTextVoice(
  options: Pick<RunOptions, 'quiet' | 'color' | 'outputSchema' | 'autoCancelDialogs'>,
  io: CliIo,
  tmpDir: string,
  converse?: StartConversation,
): Promise<RunVoice> {
  const surface = createPrintSurface(io, options)
  const found = options.autoCancelDialogs && converse === undefined ? undefined : io.terminal()
  const terminal = found && { input: found.input, output: terminalOutput(io, found.output) }
  let dialogs: TerminalDialogs | undefined
  // Loaded before the first question, and only where somebody could answer it.
  const { createTerminalDialogs } =
    terminal === undefined ? { createTerminalDialogs: undefined } : await import('../dialogs/terminal-dialogs.js')
  const { textEditor } = terminal === undefined ? { textEditor: undefined } : await import('../dialogs/text-editor.js')
  const shown: RunVoice['surface'] = {
    ...surface,
    // In a conversation what waited has been offered again already.
    result: (line) => surface.result(converse === undefined ? line : { ...line, restored: [] }),
    frame(frame: EnsoFollowFrame, line) {
      const keepsUp = surface.frame(frame, line)
      dialogs?.onFrame(frame)
      return keepsUp
    },
  }

  function sourceOn(on: CliTerminal, ledger: DialogLedger): RequestSource {
    const conversation = converse?.({ terminal: on, surface })
    const turn = async (): Promise<() => void> => {
      const goOn = await conversation?.pause()
      const release = surface.hold()
      return () => {
        release()
        goOn?.()
      }
    }
    return {
      open(door: RunDoor) {
        dialogs = createTerminalDialogs?.({
          terminal: on,
          io,
          color: options.color,
          answer: (id, answer) => door.operate('dialog', { id, ...answer }),
          stop: () => {
            // A conversation outlives the run that asked.
            if (conversation?.interrupt() !== true) door.stop('abort')
          },
          turn,
          timeoutMs: ledger.policy.timeoutMs(),
          editor: textEditor?.(io.env, on, tmpDir),
        })
        if (conversation === undefined) door.finish()
        else conversation.open(door)
      },
      idle: () => conversation?.idle(),
      interrupt: () => conversation?.interrupt() ?? false,
      close() {
        dialogs?.close()
        conversation?.close()
      },
    }
  }

  async function chooseLocal(
    on: CliTerminal,
    servers: readonly FoundLocalServer[],
    closed: AbortSignal,
  ): Promise<Asked<EnsoLocalServer | undefined>> {
    const [{ createAsking }, { chooseLocalServer }] = await Promise.all([
      import('../dialogs/asking.js'),
      import('../dialogs/choose-local-server.js'),
    ])
    const palette = createPalette(on.output, io.env, options.color)
    const release = surface.hold()
    const asking = createAsking(on, io.clock, palette.enabled)
    try {
      if ((await asking.discardTyped()) === 'stop') return { kind: 'stop' }
      asking.write('No model was chosen, and none has credentials.')
      return await chooseLocalServer(asking, servers, palette, closed)
    } finally {
      asking.close()
      release()
    }
  }

  return {
    surface: shown,
    channel: 'terminal',
    channelOpen: () => terminal !== undefined,
    source: (ledger) => (terminal === undefined ? undefined : sourceOn(terminal, ledger)),
    lastLine: () => '',
    ...(converse === undefined ? {} : { converses: true as const }),
    ...(terminal === undefined
      ? {}
      : { chooseLocalServer: (servers, closed) => chooseLocal(terminal, servers, closed) }),
  }
}
