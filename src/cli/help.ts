import type { FlagSpec } from './args/flag.js'
import type { CliCommand, CommandEntry } from './commands/command.js'
import { EXIT_CODES_IN_SHORT } from './exit-codes.js'

/** Two columns, the first as wide as its widest entry. */
function columns(rows: readonly (readonly [left: string, right: string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd()).join('\n')
}

/** A flag as it is written, its one-letter form or room for it first. */
export function flagSpelling(flag: FlagSpec): string {
  const short = flag.short === undefined ? '    ' : `-${flag.short}, `
  const value = flag.value === undefined ? '' : flag.optional === true ? ` [${flag.value}]` : ` ${flag.value}`
  return `${short}--${flag.name}${value}`
}

/** Words in lines of at most `width` columns, the first one shorter by what stands before it. */
function wrapped(words: readonly string[], indent: number, width: number): string {
  const lines = ['']
  for (const word of words) {
    const line = lines.at(-1) ?? ''
    const longer = line === '' ? word : `${line} ${word}`
    if (indent + longer.length <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}

/** The first page of help: fits a screen. */
export function mainHelp(commands: readonly CommandEntry[]): string {
  const shown = commands.filter((command) => command.hidden !== true).map(({ name }) => name)
  const names = shown.map((name, index) => (index === shown.length - 1 ? name : `${name},`))
  return `enso: a coding agent on the command line

Usage
  enso [flags] PROMPT…    run one prompt: the reply on stdout, the rest on stderr
  enso                    on a terminal: a conversation
  enso COMMAND …          ${wrapped(names, 26, 80)}

Flags (all of them: enso run --help)
  -m, --model MODEL       provider/id[:thinking]
  -c, --continue          go on with the newest thread here; -r ID: with that one
      --json              JSON lines on stdout, answers and prompts on stdin
      --max-turns N, --timeout TIME, --auto-cancel-dialogs
  -C, --cwd DIR           work in this folder
      --dry-run           say what would run, and run nothing
  -V, --version           -h, --help: also after a command; enso help --man: all of it

Examples
  enso "why does npm test fail?"
  git diff | enso "review this" > review.md
  enso @notes.txt --image plan.png "build it"
  enso --json -- "--- a prompt that begins with dashes"

${EXIT_CODES_IN_SHORT}
`
}

/** The help of one command. */
export function commandHelp(command: CliCommand): string {
  const usage = command.usage.map((line) => `  enso ${line}`).join('\n')
  const groups = command.flags.map(
    ({ title, flags }) => `${title}\n${columns(flags.map((flag) => [flagSpelling(flag), flag.help] as const))}`,
  )
  const examples = command.examples.length === 0 ? [] : [`Examples\n${columns(command.examples)}`]
  return `${[wrapped(command.about.split(' '), 0, 96), `Usage\n${usage}`, ...groups, ...examples, EXIT_CODES_IN_SHORT].join('\n\n')}\n`
}
