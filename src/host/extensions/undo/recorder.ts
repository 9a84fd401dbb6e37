import { readFileSync, statSync } from 'node:fs'
import type { ExtensionFactory } from '@mariozechner/pi-coding-agent'
import { ensoLogger } from '../../../core/log.js'
import type { EnsoUndoBefore } from '../../../core/undo.js'
import { contentDigest, UNDO_FILE_MAX_BYTES, type UndoStore } from '../../../system/undo-store.js'

const log = ensoLogger('extension', 'undo')

/** Tools that change one file, named by their `path`. What a shell command changes nobody can tell. */
const CHANGING: ReadonlySet<string> = new Set(['write', 'edit'])

/** What the recorder needs of its thread. */
export interface UndoRecorderDeps {
  readonly store: UndoStore
  /** The file that a tool's path means, absolute, symbolic links followed. */
  readonly realPath: (path: string) => string
  readonly now: () => Date
}

/**
 * Keeps what files hold before a call changes them. It must stand behind the guard: a call that was refused reaches
 * nobody behind the refusal. What can't be kept stops no call; it can't be undone then, and the journal says so.
 */
export function createUndoRecorder({ store, realPath, now }: UndoRecorderDeps): ExtensionFactory {
  /** Calls that are under way, and the file each changes. */
  const underWay = new Map<string, string>()
  return (pi) => {
    pi.on('tool_call', ({ toolCallId, toolName, input }) => {
      const { path } = input as { readonly path?: unknown }
      if (!CHANGING.has(toolName) || typeof path !== 'string') return undefined
      attempt(() => {
        const real = realPath(path)
        const before = keep(store, real)
        store.append({ kind: 'before', toolCallId, toolName, path: real, at: now().toISOString(), before })
        underWay.set(toolCallId, real)
      })
      return undefined
    })
    pi.on('tool_result', ({ toolCallId }) => {
      const path = underWay.get(toolCallId)
      if (path === undefined) return undefined
      underWay.delete(toolCallId)
      attempt(() => store.append({ kind: 'after', toolCallId, digest: digestOf(path) }))
      return undefined
    })
  }
}

function keep(store: UndoStore, path: string): EnsoUndoBefore {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return { kind: 'absent' }
  if (!stat.isFile()) return { kind: 'not-kept', why: 'it is no plain file' }
  if (stat.size > UNDO_FILE_MAX_BYTES)
    return { kind: 'not-kept', why: `it was larger than ${UNDO_FILE_MAX_BYTES} bytes` }
  const content = readFileSync(path)
  return { kind: 'kept', digest: store.keep(content), bytes: content.length, mode: stat.mode & 0o777 }
}

function digestOf(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isFile() === true ? contentDigest(readFileSync(path)) : null
}

function attempt(work: () => void): void {
  try {
    work()
  } catch (error) {
    log.warn('a change could not be kept for undo: {error}', { error: String(error) })
  }
}
