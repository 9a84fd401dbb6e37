import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'

/** Symbolic links that a command made before this point, by absolute path: they are not on the disk yet. */
export type LinkOverlay = ReadonlyMap<string, string>

const UNICODE_SPACES = /[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g
const MAX_LINKS = 40

/**
 * The path a file tool opens for what the model wrote: the agent library drops one leading `@`, turns Unicode spaces
 * into plain ones and expands `~`. A guard that judged the text as written would judge another file.
 */
export function toolPath(raw: string, cwd: string, home: string): string {
  const text = (raw.startsWith('@') ? raw.slice(1) : raw).replace(UNICODE_SPACES, ' ')
  if (text === '~') return home
  if (text.startsWith('~/')) return home + text.slice(1)
  return isAbsolute(text) ? text : resolve(cwd, text)
}

/**
 * The same for reading, which then tries spellings that some file systems store: another space before AM or PM,
 * decomposed letters, a curly apostrophe. The first that exists is the one opened.
 */
export function toolReadPath(raw: string, cwd: string, home: string): string {
  const path = toolPath(raw, cwd, home)
  if (existsSync(path)) return path
  const decomposed = path.normalize('NFD')
  const others = [
    path.replace(/ (AM|PM)\./gi, '\u202F$1.'),
    decomposed,
    path.replace(/'/g, '\u2019'),
    decomposed.replace(/'/g, '\u2019'),
  ]
  return others.find((other) => other !== path && existsSync(other)) ?? path
}

/**
 * An absolute path with every symbolic link followed, also where its end does not exist yet: a dangling link counts as
 * its target, because writing through it creates that. `..` leaves the folder a link led to, as the system does it.
 * `overlay` adds links not on the disk yet; `cwd` stands for `/proc/self/cwd`, which is the child's and not ours.
 */
export function realPathOf(path: string, cwd: string, overlay?: LinkOverlay): string {
  // The segments still to walk, the next one last.
  const rest = withoutProcAliases(path, cwd).split('/').reverse()
  let real = ''
  let links = 0
  while (rest.length > 0) {
    const segment = rest.pop() ?? ''
    if (segment === '' || segment === '.') continue
    if (segment === '..') {
      real = real.slice(0, Math.max(0, real.lastIndexOf('/')))
      continue
    }
    const next = `${real}/${segment}`
    const target = overlay?.get(next) ?? linkTarget(next)
    if (target === undefined || links >= MAX_LINKS) {
      real = next
      continue
    }
    links++
    rest.push(...target.split('/').reverse())
    if (target.startsWith('/')) real = ''
  }
  return real === '' ? '/' : real
}

const PROC_LINK = /^\/+proc\/+[^/]+(?:\/+task\/+[^/]+)?\/+(cwd|root)(?=\/|$)/

function withoutProcAliases(path: string, cwd: string): string {
  let text = path
  for (let turn = 0; turn < 8; turn++) {
    const match = PROC_LINK.exec(text)
    if (match === null) return text
    text = `${match[1] === 'cwd' ? cwd : ''}${text.slice(match[0].length)}` || '/'
  }
  return text
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined
  } catch {
    return undefined
  }
}

/** Is `path` the folder itself or under it? By segments, never by prefix: `/srv/repository` is not in `/srv/repo`. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith('../') && !isAbsolute(way))
}

/**
 * A name as it is compared: one letter case and one Unicode form, without characters that some file systems ignore.
 */
export function foldName(name: string): string {
  // oxlint-disable-next-line no-control-regex
  return /^[\x20-\x7e]*$/.test(name)
    ? name.toLowerCase()
    : name
        .normalize('NFKC')
        .replace(/[\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\u00AD]/g, '')
        .toLowerCase()
}

/** A path's segments, folded for comparing. */
export function foldedSegments(path: string): string[] {
  return foldName(path).split('/').filter(Boolean)
}

/** Does the path contain these segments next to each other, in order? */
export function hasSegments(segments: readonly string[], wanted: readonly string[]): boolean {
  if (wanted.length === 0) return false
  for (let start = 0; start + wanted.length <= segments.length; start++) {
    if (wanted.every((segment, index) => segments[start + index] === segment)) return true
  }
  return false
}
