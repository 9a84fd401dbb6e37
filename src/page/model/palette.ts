import type { HostCommandOption, RuntimeCommand } from '../../core/index.js'

/** The order in which commands are offered: what sets something first, then what runs, then what fills in a prompt. */
const GROUPS: readonly { readonly title: string; readonly holds: (command: RuntimeCommand) => boolean }[] = [
  { title: 'Settings', holds: ({ kind }) => kind === 'select' || kind === 'level' },
  { title: 'Actions', holds: ({ kind }) => kind === 'flow' || kind === 'action' },
  { title: 'Views', holds: ({ kind }) => kind === 'view' },
  { title: 'Commands', holds: ({ source }) => source === 'extension' },
  { title: 'Prompt templates', holds: ({ source }) => source === 'prompt' },
  { title: 'Skills', holds: ({ source }) => source === 'skill' },
]

/** Commands under one heading. */
export interface CommandGroup {
  readonly title: string
  readonly commands: readonly RuntimeCommand[]
}

/** The commands whose name or description fits what was typed after the slash, those that begin with it first. */
export function commandGroups(commands: readonly RuntimeCommand[], typed: string): CommandGroup[] {
  const found = matching(commands, typed, ({ name, description }) => [name, description ?? ''])
  return GROUPS.map(({ title, holds }) => ({ title, commands: found.filter(holds) })).filter(
    ({ commands }) => commands.length > 0,
  )
}

/** The options that fit what was typed. */
export function matchingOptions(options: readonly HostCommandOption[], typed: string): HostCommandOption[] {
  return matching(options, typed, ({ label, id, detail }) => [label, id, detail ?? ''])
}

/** What stands after the slash of a text that may be a command and nothing else yet. */
export function typedCommand(text: string): string | undefined {
  return /^\/([^\s/]*)$/.exec(text)?.[1]
}

function matching<T>(items: readonly T[], typed: string, words: (item: T) => readonly string[]): T[] {
  const wanted = typed.trim().toLowerCase()
  if (wanted === '') return [...items]
  return items
    .map((item) => ({ item, rank: rankOf(words(item), wanted) }))
    .filter(({ rank }) => rank < 3)
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item)
}

function rankOf(words: readonly string[], wanted: string): number {
  const [name = '', ...others] = words.map((word) => word.toLowerCase())
  if (name.startsWith(wanted)) return 0
  if (name.includes(wanted)) return 1
  return others.some((word) => word.includes(wanted)) ? 2 : 3
}
