import type { FlagSpec } from './args/flag.js'
import type { CliCommand } from './commands/command.js'
import { ENVIRONMENT } from './environment-names.js'
import { EXIT_CODES } from './exit-codes.js'
import { flagSpelling } from './help.js'

/** Text as roff takes it: no line is a request, no dash a hyphen, no backslash an escape. */
function plain(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replace(/^(?=[.'])/gm, '\\&')
}

const section = (name: string, ...lines: readonly string[]): string => [`.SH ${name}`, ...lines].join('\n')
const bold = (text: string): string => `\\fB${plain(text)}\\fR`
const term = (name: string, text: string): string => `.TP\n${bold(name)}\n${plain(text)}`

function flagTerm(flag: FlagSpec): string {
  return term(flagSpelling(flag).trim(), flag.help)
}

function commandPart(command: CliCommand): string {
  const groups = command.flags.flatMap(({ flags }) => flags.map(flagTerm))
  const usage = command.usage.map((line) => `.br\n${bold(`enso ${line}`)}`)
  const examples = command.examples.map(([line, meaning]) => term(line, meaning))
  return [`.SS ${command.name}`, plain(command.about), ...usage, ...groups, ...examples].join('\n')
}

/** The manual page, from the same tables as the help: `enso help --man | man -l -`. */
export function manPageOf(commands: readonly CliCommand[], version: string): string {
  const [run, ...others] = commands
  const runFlags = (run?.flags ?? []).flatMap(({ title, flags }) => [`.SS ${plain(title)}`, ...flags.map(flagTerm)])
  return `${[
    `.TH ENSO 1 "" "enso ${plain(version)}" "User Commands"`,
    section('NAME', 'enso \\- a coding agent on the command line'),
    section('SYNOPSIS', ...[...(run?.usage ?? []), 'COMMAND …'].map((line) => `.br\n${bold(`enso ${line}`)}`)),
    section(
      'DESCRIPTION',
      plain(
        'Runs one thread of a coding agent in this process and shows what it does: as text, as JSON lines for another ' +
          'program, or over HTTP. Where the agent must ask a person, the run waits for an answer; where nobody can ' +
          'answer it neither hangs nor approves.',
      ),
    ),
    section('FLAGS OF A RUN', ...runFlags),
    section('COMMANDS', ...others.map(commandPart)),
    section('EXIT STATUS', ...EXIT_CODES.map(([code, outcome, meaning]) => term(code, `${outcome}: ${meaning}`))),
    section('ENVIRONMENT', ...ENVIRONMENT.map(([name, meaning]) => term(name, meaning))),
    section(
      'FILES',
      term('~/.enso/config.json', 'your configuration; its schema: enso schema config'),
      term('~/.enso/agent', 'credentials, models.json, extensions, skills'),
      term('~/.enso/threads', 'stored threads'),
      term('~/.enso/logs', 'one file a day'),
      term('enso.config.json', 'what a workspace grants'),
    ),
    section('EXAMPLES', ...(run?.examples ?? []).map(([line, meaning]) => term(line, meaning))),
  ].join('\n')}\n`
}
