import { select } from '@clack/prompts'
import { closestWord, type EnsoThreadCommands, type RuntimeCommand } from '../../core/index.js'
import type { Asking } from '../dialogs/asking.js'
import { sanitizeLine } from '../print/sanitize.js'
import type { RunDoor } from '../run/run-door.js'

/** What a typed line that begins with a slash comes to. */
export type SlashResult =
  /** Nothing more happens; `say` is for the person. */
  | { readonly kind: 'done'; readonly say: string }
  /** Work has begun that ends by itself. */
  | { readonly kind: 'begun' }
  /** The thread's own command: sent as a prompt. */
  | { readonly kind: 'prompt' }
  | { readonly kind: 'leave' }

const OWN: readonly { readonly name: string; readonly description: string }[] = [
  { name: 'help', description: 'this list' },
  { name: 'quit', description: 'leave (Ctrl-D)' },
]

/** The commands of the thread, and what of a command's line they know. */
export interface SlashCommands {
  /** Asks the thread again what it can run. */
  refresh(door: RunDoor): Promise<void>
  /** The commands that could be meant by what was typed. */
  complete(line: string): readonly string[]
  run(line: string, door: RunDoor, asking: Pick<Asking, 'ask'>): Promise<SlashResult>
}

/** The slash commands of a conversation: a few of its own, the host's by their kind, the thread's as prompts. */
export function createSlashCommands(): SlashCommands {
  let known: EnsoThreadCommands | undefined

  const names = (): readonly string[] => [...OWN, ...(known?.commands ?? [])].map(({ name }) => `/${name}`)

  function list(): string {
    const rows = [...OWN, ...(known?.commands ?? [])].map(({ name, description }) => [`/${name}`, description ?? ''])
    const width = Math.max(...rows.map(([name = '']) => name.length))
    const lines = rows.map(([name = '', about = '']) => `  ${sanitizeLine(name).padEnd(width)}  ${sanitizeLine(about)}`)
    const more = known === undefined || known.source === 'none' ? ['  more are known once the thread has begun'] : []
    return [...lines, ...more].map((line) => line.trimEnd()).join('\n')
  }

  /** The id of the option that a person named, by its id or label; else asks for one. */
  async function valueFor(
    command: RuntimeCommand,
    given: string,
    asking: Pick<Asking, 'ask'>,
  ): Promise<string | undefined> {
    const options = command.options ?? []
    if (given !== '') {
      const named = options.find(({ id, label }) => id === given || label.toLowerCase() === given.toLowerCase())
      return named?.id ?? given
    }
    if (options.length === 0) return undefined
    const chosen = await asking.ask(
      (streams) =>
        select({
          ...streams,
          message: sanitizeLine(command.description ?? command.name),
          initialValue: Math.max(
            0,
            options.findIndex(({ id }) => id === command.value),
          ),
          options: options.map(({ label, detail }, value) => ({
            value,
            label: sanitizeLine(detail === undefined ? label : `${label}  ${detail}`),
          })),
        }),
      new AbortController().signal,
    )
    return chosen.kind === 'value' ? options[chosen.value]?.id : undefined
  }

  async function runHost(
    command: RuntimeCommand,
    given: string,
    door: RunDoor,
    asking: Pick<Asking, 'ask'>,
  ): Promise<SlashResult> {
    if (command.kind === 'view') return { kind: 'done', say: await view(command, door) }
    const value = command.kind === 'action' && given === '' ? undefined : await valueFor(command, given, asking)
    if (value === undefined && command.kind !== 'action') return { kind: 'done', say: '' }
    const body = value === undefined ? { name: command.name } : { name: command.name, value }
    const outcome = await door.operate('command', body)
    if (!outcome.ok) return { kind: 'done', say: sanitizeLine(outcome.refusal.reason) }
    return outcome.status === 202 ? { kind: 'begun' } : { kind: 'done', say: '' }
  }

  return {
    async refresh(door) {
      const outcome = await door.operate('commands', undefined)
      if (outcome.ok) known = outcome.result as EnsoThreadCommands
      if (known?.source !== 'none') return
      // Only a thread that has begun knows its commands; settings that change nothing begin it.
      if (!(await door.operate('configure', {})).ok) return
      const begun = await door.operate('commands', undefined)
      if (begun.ok) known = begun.result as EnsoThreadCommands
    },
    complete: (line) => (line.startsWith('/') ? names().filter((name) => name.startsWith(line)) : []),
    async run(line, door, asking) {
      const [word = '', ...rest] = line.trim().split(/\s+/)
      const name = word.slice(1)
      if (name === '' || name === 'help') return { kind: 'done', say: list() }
      if (name === 'quit' || name === 'exit') return { kind: 'leave' }
      const command = known?.commands.find((row) => row.name === name)
      if (command?.source === 'host') return runHost(command, rest.join(' '), door, asking)
      if (command !== undefined || known === undefined || known.source === 'none') return { kind: 'prompt' }
      const meant = closestWord(word, names())
      const hint = meant === undefined ? '/help lists what there is' : `did you mean ${meant}?`
      return { kind: 'done', say: `there is no command ${sanitizeLine(word)}; ${hint}` }
    },
  }
}

/** What a view shows, as far as a few words can. */
async function view(command: RuntimeCommand, door: RunDoor): Promise<string> {
  const outcome = await door.operate('usage', undefined)
  if (!outcome.ok) return sanitizeLine(outcome.refusal.reason)
  const { context } = outcome.result as {
    context: { tokens: number | null; window: number; percent: number | null } | null
  }
  if (context === null || context.tokens === null)
    return `${sanitizeLine(command.name)}: not known before the next reply`
  return `context: ${context.tokens} of ${context.window} tokens (${Math.round(context.percent ?? 0)} %)`
}
