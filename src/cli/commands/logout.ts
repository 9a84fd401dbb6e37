import { ENSO_ABORT_EXIT_CODES, type HostCommandOption } from '../../core/index.js'
import { canonicalPath } from '../../system/project-id.js'
import { createAsking } from '../dialogs/asking.js'
import { chooseOption, optionsNamed } from '../dialogs/choose-option.js'
import { refuseUsage } from '../faults.js'
import { createPalette } from '../print/palette.js'
import { sanitizeLine } from '../print/sanitize.js'
import type { CliCommand } from './command.js'

/** `enso logout`: forgets stored credentials. A key in the environment is not stored and stays. */
export const logoutCommand: CliCommand = {
  name: 'logout',
  usage: ['logout [PROVIDER]'],
  about: "Forgets a provider's stored key or account. A key in the environment still counts.",
  flags: [],
  examples: [
    ['enso logout', 'choose one'],
    ['enso logout anthropic', 'that one'],
  ],
  run: async ({ line, io, parts }) => {
    const words = [...line.words, ...line.literal]
    if (words.length > 1) return refuseUsage(io, [], { reason: 'logout takes one provider' })
    const [word] = words
    const host = await parts.agentHost({ cwd: canonicalPath(io.cwd) })
    try {
      const options = host.credentials.logoutOptions()
      if (options.length === 0 && word === undefined) {
        io.stderr.write('no credentials are stored\n')
        return 0
      }
      const named = word === undefined ? [] : optionsNamed(word, options)
      if (word !== undefined && named.length === 0) return refuseUsage(io, [], notStored(word, options))
      let provider = named[0]?.id
      if (provider === undefined) {
        const terminal = io.terminal()
        if (terminal === undefined) {
          return refuseUsage(io, [], { reason: 'logout needs a provider here', hint: `stored: ${namesOf(options)}` })
        }
        const asking = createAsking(terminal, io.clock, createPalette(terminal.output, io.env, 'auto').enabled)
        try {
          const chosen = await chooseOption(asking, 'Forget which credentials?', options)
          if (chosen.kind === 'stop') return ENSO_ABORT_EXIT_CODES.SIGINT
          if (chosen.kind !== 'value') return 1
          provider = chosen.value
        } finally {
          asking.close()
        }
      }
      io.stdout.write(`${sanitizeLine(await host.credentials.logout(provider))}\n`)
      return 0
    } finally {
      await host.dispose()
    }
  },
}

const namesOf = (options: readonly HostCommandOption[]): string => options.map(({ id }) => id).join(', ')

function notStored(word: string, options: readonly HostCommandOption[]) {
  return {
    reason: `no credentials are stored for '${sanitizeLine(word)}'`,
    hint: options.length === 0 ? 'none are stored at all' : `stored: ${namesOf(options)}`,
  }
}
