import type { Finding } from '../finding.js'
import { persistenceFinding, writeFinding } from '../write-rules.js'
import { absolutePath, type Shell } from './context.js'
import { isUnknown, UNKNOWN } from './marks.js'

/**
 * Why a command must not write to the file a word names, or `undefined`. Where the word's start is not known only its
 * names are judged.
 */
export function writeWordFinding(word: string, shell: Shell): Finding | undefined {
  if (word === '' || word === '-') return undefined
  const path = absolutePath(word, shell)
  const { world } = shell.run
  if (path !== undefined) {
    if (path.startsWith('/dev/tcp/') || path.startsWith('/dev/udp/')) return undefined
    if (!path.slice(0, path.lastIndexOf('/')).startsWith(`/${UNKNOWN}`))
      return writeFinding(path, world, shell.state.links)
  }
  return namedOnly(word)
}

/** `$(git rev-parse --git-dir)/hooks/x`, `$X/.bashrc`: the known segments tell enough. */
function namedOnly(word: string): Finding | undefined {
  const known = word
    .split('/')
    .filter((segment) => !isUnknown(segment))
    .join('/')
  const finding = persistenceFinding(`/${known}`)
  if (finding === undefined) return undefined
  return /(?:^|\/)\.git(?:\/|$)/i.test(known)
    ? {
        rule: 'protected-internals',
        reason: `git's own folder is not written by a command of the model. Use git commands for what they do there.`,
      }
    : finding
}
