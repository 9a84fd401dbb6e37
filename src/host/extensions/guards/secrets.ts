export { isSecretVariable } from '../../../core/secret-variables.js'
import { SECRET_BASENAME_PATTERNS, SECRET_TEMPLATE_SUFFIXES } from '../../../core/index.js'
import { foldedSegments, foldName, hasSegments, isInside, realPathOf, type LinkOverlay } from './paths.js'
import type { GuardWorld } from './world.js'

/** How a path is secret: a file whose contents are, or a folder in which everything is. */
export type SecretKind = 'file' | 'folder'

/** Is this the name of a template, which by convention holds no values? */
export function isTemplateName(name: string): boolean {
  const folded = foldName(name)
  return SECRET_TEMPLATE_SUFFIXES.some((suffix) => folded.endsWith(suffix))
}

/** Is a file of this name secret wherever it is? */
export function isSecretName(name: string): boolean {
  if (isTemplateName(name)) return false
  const folded = foldName(name)
  return SECRET_BASENAME_PATTERNS.some((pattern) => pattern.test(folded))
}

/** The kernel's copy of a process's environment: `/proc/self/environ` and its like. */
export function isEnvironmentFile(path: string): boolean {
  return /^\/+proc\/+[^/]+(?:\/+task\/+[^/]+)?\/+environ$/.test(path)
}

/** The secret folders and files of a world, as folded segments; made once, because every word is held against them. */
interface SecretIndex {
  readonly anywhere: readonly { readonly segments: readonly string[]; readonly folder: boolean }[]
  readonly places: readonly string[]
  readonly readable: readonly string[]
}

const indexes = new WeakMap<GuardWorld, SecretIndex>()

function indexOf(world: GuardWorld): SecretIndex {
  const known = indexes.get(world)
  if (known !== undefined) return known
  const fragments = world.policy.kind === 'ok' ? world.policy.policy.secretPathFragments : []
  const index: SecretIndex = {
    anywhere: fragments
      .map((fragment) => (fragment.startsWith('~') ? world.home + fragment.slice(1) : fragment))
      .map((fragment) => ({ segments: foldedSegments(fragment), folder: fragment.endsWith('/') }))
      .filter(({ segments }) => segments.length > 0),
    places: world.secretPaths.map((path) => realPathOf(path, world.cwd)),
    readable: (world.readablePaths ?? []).map((path) => realPathOf(path, world.cwd)),
  }
  indexes.set(world, index)
  return index
}

/**
 * How an absolute path is secret, judged both as written and with its symbolic links followed, or `undefined`. A public
 * key (`*.pub`) in a secret folder is not.
 */
export function secretKindOf(path: string, world: GuardWorld, overlay?: LinkOverlay): SecretKind | undefined {
  const real = realPathOf(path, world.cwd, overlay)
  return kindOfExact(path, world) ?? (real === path ? undefined : kindOfExact(real, world))
}

function kindOfExact(path: string, world: GuardWorld): SecretKind | undefined {
  const segments = foldedSegments(path)
  const name = segments.at(-1) ?? ''
  if (isSecretName(name)) return 'file'
  // By itself the name is too common for a workspace; elsewhere it is a tool's.
  if (name === 'credentials' && !isInside(path, world.cwd)) return 'file'
  const index = indexOf(world)
  const inside = (place: string): boolean => isInside(path, place)
  if (index.readable.some(inside)) return undefined
  if (index.places.some(inside)) return index.places.includes(path) ? 'folder' : 'file'
  for (const { segments: wanted, folder } of index.anywhere) {
    if (!hasSegments(segments, wanted)) continue
    const ends = wanted.every((segment, at) => segments[segments.length - wanted.length + at] === segment)
    if (ends) return folder ? 'folder' : 'file'
    if (folder && !name.endsWith('.pub')) return 'file'
  }
  return undefined
}

/**
 * Does the folder hold one of the places where a person's credentials are: the home folder, one above
 * it, or one of its folders of settings (`~/.config`)?
 */
export function holdsCredentials(path: string, world: GuardWorld): boolean {
  const real = realPathOf(path, world.cwd)
  if (isInside(world.home, real)) return true
  if (!isInside(real, world.home)) return false
  const below = foldedSegments(real.slice(world.home.length))
  return indexOf(world).anywhere.some(({ segments }) => below.every((segment, at) => segments[at] === segment))
}
