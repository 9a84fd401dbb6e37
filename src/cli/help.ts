import type { FlagSpec } from './args/flag.js'
import type { CliCommand, CommandEntry } from './commands/command.js'

const EXIT_CODES = `Exit codes
  0 done    1 error    2 usage    3 blocked (nobody could answer)    4 limit
  5 provider    6 thread busy or not found    129, 130, 143 stopped by a signal`

/** Two columns, the first as wide as its widest entry. */
function columns(rows: readonly (readonly [left: string, right: string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd()).join('\n')
}

function spelling(flag: FlagSpec): string {
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
  const names = commands.map(({ name }, index) => (index === commands.length - 1 ? name : `${name},`))
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
  -V, --version           -h, --help: also after a command

Examples
  enso "why does npm test fail?"
  git diff | enso "review this" > review.md
  enso @notes.txt --image plan.png "build it"
  enso --json -- "--- a prompt that begins with dashes"

${EXIT_CODES}
`
}

/** The help of one command. */
export function commandHelp(command: CliCommand): string {
  const usage = command.usage.map((line) => `  enso ${line}`).join('\n')
  const groups = command.flags.map(
    ({ title, flags }) => `${title}\n${columns(flags.map((flag) => [spelling(flag), flag.help] as const))}`,
  )
  const examples = command.examples.length === 0 ? [] : [`Examples\n${columns(command.examples)}`]
  return `${[command.about, `Usage\n${usage}`, ...groups, ...examples, EXIT_CODES].join('\n\n')}\n`
}
