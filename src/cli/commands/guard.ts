import { resolve } from 'node:path'
import type { GuardQuestion, GuardVerdict } from '../../core/index.js'
import { jsonLine } from '../../core/index.js'
import { canonicalPath } from '../../system/project-id.js'
import type { CommandLine } from '../args/flag.js'
import { refuseUsage } from '../faults.js'
import { sanitizeLine } from '../print/sanitize.js'
import type { CliCommand } from './command.js'

/** The exit code of a refusal: that of a run that could not do what it was asked to. */
const DENIED = 3

/** `enso guard check`: what the guards would decide about a command or a path, and by which rule. Runs nothing. */
export const guardCommand: CliCommand = {
  name: 'guard',
  usage: ['guard check -- COMMAND…', 'guard check --read PATH', 'guard check --write PATH'],
  about:
    'Says what the guards would decide, by which rule and why. Nothing is run, read or written. Exit 3 for a refusal.',
  flags: [
    {
      title: 'Flags',
      flags: [
        { name: 'read', value: 'PATH', help: 'ask about reading a file' },
        { name: 'write', value: 'PATH', help: 'ask about writing a file' },
        { name: 'cwd', short: 'C', value: 'DIR', help: 'the workspace; default: the current folder' },
        { name: 'attended', help: 'as in a run with a person there: what is unknown is then asked about, not refused' },
        { name: 'json', help: 'one JSON object' },
      ],
    },
  ],
  examples: [
    ['enso guard check -- git push origin main', 'would a thread be let?'],
    ["enso guard check -- 'cat .env | head -1'", 'a whole shell line, as one word'],
    ['enso guard check --write ~/.bashrc', 'and this file?'],
  ],
  run: async ({ line, argv, io, parts }) => {
    const question = line.words[0] === 'check' && line.words.length === 1 ? questionOf(line) : undefined
    if (question === undefined) {
      return refuseUsage(io, argv, {
        reason: 'guard check takes one of: a command after --, --read PATH, --write PATH',
        hint: "enso guard check -- 'git push origin main'",
      })
    }
    const cwd = canonicalPath(resolve(io.cwd, line.value('cwd') ?? '.'))
    const check = await parts.guardCheck({ cwd, attended: line.has('attended') })
    const verdict = check.ask(question)
    io.stdout.write(line.has('json') ? `${jsonLine(verdict)}\n` : textOf(verdict, question))
    return verdict.decision === 'allow' ? 0 : DENIED
  },
}

function questionOf(line: CommandLine): GuardQuestion | undefined {
  const read = line.value('read')
  const write = line.value('write')
  const asked = [read, write, line.literal[0]].filter((one) => one !== undefined)
  if (asked.length !== 1) return undefined
  if (read !== undefined) return { kind: 'read', path: read }
  if (write !== undefined) return { kind: 'write', path: write }
  const [only, ...more] = line.literal
  return { kind: 'command', command: more.length === 0 ? (only ?? '') : line.literal.map(quoted).join(' ') }
}

/** A word as it has to be written for the shell to hand it on unchanged. */
function quoted(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

function textOf(verdict: GuardVerdict, question: GuardQuestion): string {
  if (verdict.decision === 'deny') return `denied by ${verdict.rule}: ${sanitizeLine(verdict.reason)}\n`
  return question.kind === 'write' ? 'allowed, once it was read where it exists\n' : 'allowed\n'
}
