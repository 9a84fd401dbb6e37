import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expandHome } from '../../system/home.js'
import { canonicalPath, projectIdOf } from '../../system/project-id.js'
import type { FlagSpec } from '../args/flag.js'
import { looksLikeFlag, spellings } from '../args/prepare.js'
import { choose } from '../commands/choose.js'
import { COMMANDS } from '../commands/table.js'
import { SETTINGS } from '../config/settings.js'
import type { CliIo } from '../io.js'
import type { CliParts } from '../parts.js'
import { knownModels } from './known-models.js'

/** One thing that could stand where the cursor is. */
export interface Candidate {
  readonly value: string
  readonly about?: string
}

/** What could stand where the cursor is: words, or the shell's own paths. */
export type Candidates =
  | { readonly kind: 'words'; readonly words: readonly Candidate[] }
  | { readonly kind: 'files' | 'folders' }

type World = { readonly io: Pick<CliIo, 'cwd' | 'env'>; readonly parts: Pick<CliParts, 'home' | 'store'> }

/** Threads that are offered; the newest. */
const MOST_THREADS = 50

const words = (all: readonly (string | Candidate)[]): Candidates => ({
  kind: 'words',
  words: all.map((one) => (typeof one === 'string' ? { value: one } : one)),
})

/**
 * What could stand at the end of a command line. `line` is every word after the program's name, the last one being
 * typed and perhaps empty. Loads no agent library.
 */
export async function candidatesFor(line: readonly string[], world: World): Promise<Candidates> {
  const typed = line.at(-1) ?? ''
  const before = line.slice(0, -1)
  if (before.includes('--')) return { kind: 'files' }
  const { entry, argv, named } = await choose(before)
  const flags = (await entry.load()).flags.flatMap((group) => group.flags)
  const inline = /^(--[^=]+)=/.exec(typed)
  const flag = flagOf(flags, inline?.[1] ?? before.at(-1))
  if (inline !== null && flag?.value !== undefined) {
    return prefixed(`${inline[1] ?? ''}=`, await valuesOf(flag, world))
  }
  if (inline === null && flag?.value !== undefined && !(flag.optional === true && typed.startsWith('-'))) {
    return valuesOf(flag, world)
  }
  if (typed.startsWith('-')) return words(flags.map((one) => ({ value: `--${one.name}`, about: one.help })))
  if (typed.startsWith('@')) return words(pathsLike(typed.slice(1), world.io).map((path) => `@${path}`))
  const plain = wordsOf(argv, flags)
  if (named) return afterCommand(entry.name, plain, entry.words ?? [], world)
  if (plain.length > 0) return words([])
  const visible = COMMANDS.filter((command) => command.hidden !== true)
  return words(visible.map(({ name, summary }) => ({ value: name, about: summary })))
}

function flagOf(flags: readonly FlagSpec[], written: string | undefined): FlagSpec | undefined {
  return flags.find(
    (flag) => written === `-${flag.short}` || (written !== undefined && spellings(flag).includes(written)),
  )
}

/** The words among arguments: what is no flag and no flag's value. */
function wordsOf(argv: readonly string[], flags: readonly FlagSpec[]): string[] {
  const isValue = (index: number): boolean => {
    const flag = flagOf(flags, argv[index - 1])
    return flag?.value !== undefined
  }
  return argv.filter((argument, index) => !looksLikeFlag(argument) && !isValue(index))
}

function prefixed(prefix: string, candidates: Candidates): Candidates {
  if (candidates.kind !== 'words') return candidates
  return words(candidates.words.map((one) => ({ ...one, value: `${prefix}${one.value}` })))
}

/** The values of a flag, by what its value is called in help. */
async function valuesOf(flag: FlagSpec, world: World): Promise<Candidates> {
  if (flag.choices !== undefined) return words(flag.choices)
  if (flag.name === 'model') return words(knownModels(world.parts.home))
  if (flag.name === 'resume') return words(await threadsHere(world))
  if (flag.value === 'DIR') return { kind: 'folders' }
  return flag.value === 'FILE' || flag.value === 'PATH' ? { kind: 'files' } : words([])
}

async function afterCommand(
  name: string,
  given: readonly string[],
  subcommands: readonly string[],
  world: World,
): Promise<Candidates> {
  if (given.length === 0 && subcommands.length > 0) return words(subcommands)
  if (name === 'threads' && given[0] !== 'list') return words(await threadsHere(world))
  if (name === 'config' && given.length === 1) return words(SETTINGS.map(({ key, about }) => ({ value: key, about })))
  if (name === 'config' && given[1] === 'defaultModel') return words(knownModels(world.parts.home))
  return words([])
}

async function threadsHere({ io, parts }: World): Promise<Candidate[]> {
  const projectId = projectIdOf(canonicalPath(io.cwd))
  const threads = await (await parts.store()).list(projectId)
  return threads
    .slice(0, MOST_THREADS)
    .map(({ threadId, title }) => (title === undefined ? { value: threadId } : { value: threadId, about: title }))
}

/** Paths that begin like this; a folder ends in a slash. */
function pathsLike(typed: string, { cwd, env }: Pick<CliIo, 'cwd' | 'env'>): string[] {
  const folder = typed.endsWith('/') ? typed : typed.includes('/') ? `${dirname(typed)}/` : ''
  const head = typed.slice(folder.length)
  try {
    return readdirSync(expandHome(folder === '' ? '.' : folder, env, cwd), { withFileTypes: true })
      .filter(({ name }) => name.startsWith(head) && (head.startsWith('.') || !name.startsWith('.')))
      .map((entry) => `${folder === '' ? '' : join(folder, '/')}${entry.name}${entry.isDirectory() ? '/' : ''}`)
      .sort()
  } catch {
    return []
  }
}
