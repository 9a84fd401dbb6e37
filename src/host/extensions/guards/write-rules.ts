import {
  ENSO_PERSISTENCE_WRITE_DIRECTORIES,
  ENSO_CONFIG_FILENAME,
  PERSISTENCE_WRITE_BASENAMES,
  PERSISTENCE_WRITE_DIRECTORIES,
} from '../../../core/index.js'
import { type Finding, shown } from './finding.js'
import { foldedSegments, foldName, hasSegments, isInside, type LinkOverlay, realPathOf } from './paths.js'
import { policyOf, type GuardWorld } from './world.js'

const persistenceNames = new Set(PERSISTENCE_WRITE_BASENAMES.map(foldName))
const persistenceFolders = new Set(
  [...PERSISTENCE_WRITE_DIRECTORIES, ...ENSO_PERSISTENCE_WRITE_DIRECTORIES].map(foldName),
)

/** Devices that keep nothing. */
const DEVICE = /^\/dev\/(?:null|zero|full|random|urandom|tty|ptmx|stdin|stdout|stderr|fd\/\d+|pts\/\d+)$/

/** Is this a name that stands for a stream or for nothing, not for a file? */
export const isHarmlessDevice = (path: string): boolean => DEVICE.test(path) || /^\/proc\/self\/fd\/\d+$/.test(path)

/**
 * Why an absolute path must not be written, or `undefined`. Judged with its symbolic links followed; the names also as
 * written, so that a link called `.bashrc` is one.
 */
export function writeFinding(path: string, world: GuardWorld, overlay?: LinkOverlay): Finding | undefined {
  if (isHarmlessDevice(path)) return undefined
  const real = realPathOf(path, world.cwd, overlay)
  return (
    confinementFinding(path, real, world) ??
    internalsFinding(path, real, world) ??
    persistenceFinding(path) ??
    (real === path ? undefined : persistenceFinding(real))
  )
}

/** Outside every folder that may be written. */
export function confinementFinding(path: string, real: string, world: GuardWorld): Finding | undefined {
  const roots = [...(policyOf(world)?.writeRoots ?? []), ...world.tempDirs]
  if (roots.some((root) => isInside(real, root))) return undefined
  const way = real === path ? '' : ` (which is ${shown(real)})`
  return {
    rule: 'write-confinement',
    reason: `${shown(path)}${way} is outside the folders that may be written: ${roots.map((root) => shown(root)).join(', ')}. Write in the workspace or the temporary folder instead.`,
  }
}

/** Git's own files, this harness's home, and the workspace's configuration of it. */
export function internalsFinding(path: string, real: string, world: GuardWorld): Finding | undefined {
  const own = world.protectedPaths.find((place) => isInside(real, place))
  if (own !== undefined)
    return internals(path, 'belongs to the harness itself', 'Keep notes and files in the workspace.')
  for (const candidate of new Set([path, real])) {
    const segments = foldedSegments(candidate)
    if (segments.at(-1) === foldName(ENSO_CONFIG_FILENAME)) {
      return internals(path, 'configures the harness', 'Say what should change there; the person edits it.')
    }
    for (const fragment of policyOf(world)?.protectedWriteFragments ?? []) {
      if (hasSegments(segments, foldedSegments(fragment))) {
        return internals(
          path,
          `is under ${shown(fragment)}`,
          'Use git commands such as git add and git commit for what they do there.',
        )
      }
    }
  }
  return undefined
}

function internals(path: string, what: string, instead: string): Finding {
  return { rule: 'protected-internals', reason: `${shown(path)} ${what} and is not written by a tool. ${instead}` }
}

/** Something that runs later, outside this thread. */
export function persistenceFinding(path: string): Finding | undefined {
  const segments = foldedSegments(path)
  const name = segments.at(-1) ?? ''
  const folder = segments.find((segment) => persistenceFolders.has(segment))
  if (folder === undefined && !persistenceNames.has(name)) return undefined
  return {
    rule: 'persistence-write',
    reason: `${shown(path)} is read or run later by another program (${shown(folder ?? name)}). Put the text in an ordinary file of the workspace; the person installs it.`,
  }
}
