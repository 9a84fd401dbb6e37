import { closestWord, ENSO_ABORT_EXIT_CODES, type HostCommandOption } from '../../core/index.js'
import { canonicalPath } from '../../system/project-id.js'
import { chooseOption, optionsNamed } from '../dialogs/choose-option.js'
import { createAsking } from '../dialogs/asking.js'
import { terminalLogin } from '../dialogs/terminal-login.js'
import { refuseUsage } from '../faults.js'
import type { CliIo, CliTerminal } from '../io.js'
import { createPalette } from '../print/palette.js'
import { sanitizeLine } from '../print/sanitize.js'
import { onStopSignals, type StopSignal } from '../run/run-signals.js'
import type { CliCommand, Invocation } from './command.js'

const NO_TERMINAL_HINT = "set the provider's key in the environment instead: ANTHROPIC_API_KEY, OPENAI_API_KEY, …"

/** `enso login`: a provider's key, or an account, stored for every thread of this person. */
export const loginCommand: CliCommand = {
  name: 'login',
  usage: ['login [PROVIDER]'],
  about:
    "Stores a provider's key, or logs in to an account, on a terminal. A key is typed masked and lies in one private " +
    'file only. Esc cancels.',
  flags: [],
  examples: [
    ['enso login', 'choose a provider'],
    ['enso login anthropic', 'its key or its account'],
    ['enso login openai/api_key', 'one way of several'],
  ],
  run: async (invocation) => {
    const { line, io } = invocation
    const words = [...line.words, ...line.literal]
    if (words.length > 1) return refuseUsage(io, [], { reason: 'login takes one provider' })
    const terminal = io.terminal()
    if (terminal === undefined) {
      return refuseUsage(io, [], { reason: 'a login asks questions, and no terminal is here', hint: NO_TERMINAL_HINT })
    }
    return loginOn(terminal, words[0], invocation)
  },
}

async function loginOn(terminal: CliTerminal, word: string | undefined, { io, parts }: Invocation): Promise<number> {
  const host = await parts.agentHost({ cwd: canonicalPath(io.cwd) })
  const palette = createPalette(terminal.output, io.env, 'auto')
  const asking = createAsking(terminal, io.clock, palette.enabled)
  const stopped = new AbortController()
  let left = false
  const stop = (signal: StopSignal): void => stopped.abort(signal)
  const unlisten = onStopSignals(io.signals, stop)
  try {
    const options = host.credentials.loginOptions()
    const named = word === undefined ? options : optionsNamed(word, options)
    if (named.length === 0) return refuseUsage(io, [], unknownProvider(word ?? '', options))
    const [only] = named
    const chosen =
      named.length === 1 && only !== undefined
        ? ({ kind: 'value', value: only.id } as const)
        : await chooseOption(asking, 'Log in to which provider?', named)
    if (chosen.kind === 'stop') return ENSO_ABORT_EXIT_CODES.SIGINT
    if (chosen.kind !== 'value') return cancelled(io)
    const interaction = terminalLogin({
      asking,
      palette,
      stop: () => stop('SIGINT'),
      cancelled: () => void (left = true),
    })
    const said = await host.credentials.login(chosen.value, interaction, stopped.signal)
    io.stdout.write(`${sanitizeLine(said)}\n`)
    return 0
  } catch (error) {
    if (stopped.signal.aborted) return ENSO_ABORT_EXIT_CODES[stopped.signal.reason as StopSignal]
    if (left) return cancelled(io)
    throw error
  } finally {
    unlisten()
    asking.close()
    await host.dispose()
  }
}

function cancelled(io: CliIo): number {
  io.stderr.write('enso: the login was cancelled\n')
  return 1
}

function unknownProvider(word: string, options: readonly HostCommandOption[]) {
  const providers = options.map(({ id }) => id.slice(0, id.lastIndexOf('/')))
  const meant = closestWord(word, providers)
  return {
    reason: `there is no provider called '${sanitizeLine(word)}' to log in to`,
    hint: meant === undefined ? 'enso login lets you choose one' : `did you mean ${meant}?`,
  }
}
