import { closestWord } from '../../core/closest-word.js'
import { completionScript, SHELLS } from '../completion/scripts.js'
import { refuseUsage } from '../faults.js'
import { sanitizeLine } from '../print/sanitize.js'
import type { CliCommand } from './command.js'

/** `enso completion`: a shell's script. What could stand at the cursor the script asks enso. */
export const completionCommand: CliCommand = {
  name: 'completion',
  usage: [`completion ${SHELLS.join('|')}`],
  about:
    'Prints the script that lets a shell complete commands, flags, models, threads and settings. The shell asks enso ' +
    'each time, without the agent library.',
  flags: [],
  examples: [
    ['eval "$(enso completion bash)"', 'in ~/.bashrc'],
    ['eval "$(enso completion zsh)"', 'in ~/.zshrc, after compinit'],
    ['enso completion fish | source', 'in ~/.config/fish/config.fish'],
  ],
  run: async ({ line, io }) => {
    const [name = '', ...more] = [...line.words, ...line.literal]
    const shell = SHELLS.find((one) => one === name)
    if (shell === undefined || more.length > 0) {
      const meant = name === '' ? undefined : closestWord(name, SHELLS)
      return refuseUsage(io, [], {
        reason: name === '' ? 'completion needs a shell' : `there is no completion for '${sanitizeLine(name)}'`,
        hint: meant === undefined ? SHELLS.join(', ') : `did you mean ${meant}?`,
      })
    }
    io.stdout.write(completionScript(shell))
    return 0
  },
}

/** The hidden command that the scripts ask: the words up to the cursor, after `--`; a candidate and its meaning a line. */
export const completeCommand: CliCommand = {
  name: '__complete',
  usage: ['__complete -- WORD…'],
  about: 'Says what could stand at the end of a command line.',
  flags: [],
  examples: [],
  run: async ({ line, io, parts }) => {
    const { candidatesFor } = await import('../completion/candidates.js')
    const typed = line.literal.at(-1) ?? ''
    const found = await candidatesFor(line.literal.length === 0 ? [''] : line.literal, { io, parts })
    if (found.kind !== 'words') io.stdout.write(`:${found.kind}\n`)
    else {
      const fitting = found.words.filter(({ value }) => value.startsWith(typed))
      io.stdout.write(fitting.map(({ value, about }) => `${lineOf(value, about)}\n`).join(''))
    }
    return 0
  },
}

function lineOf(value: string, about: string | undefined): string {
  return about === undefined ? sanitizeLine(value) : `${sanitizeLine(value)}\t${sanitizeLine(about)}`
}
