import { createHash } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { EnsoUndoEntry } from '../core/undo.js'
import { jsonLine } from '../core/jsonl.js'
import { lazyValidator } from '../core/schema.js'
import { mkdirPrivate, PRIVATE_FILE_MODE } from './private-files.js'

/** A file larger than this is not kept, in bytes. */
export const UNDO_FILE_MAX_BYTES = 5 * 1024 * 1024
/** What is kept of one thread, in bytes; the oldest goes first. */
export const UNDO_THREAD_MAX_BYTES = 64 * 1024 * 1024
/** Threads whose changes are kept; those that were changed by longest ago go first. */
export const UNDO_THREADS_MAX = 200
/** Changes are kept this long, in milliseconds. */
export const UNDO_KEPT_MS = 30 * 86_400_000

const JOURNAL = 'journal.jsonl'

/** What files held before a thread's calls changed them: a journal, and contents under their digests. */
export interface UndoStore {
  append(entry: EnsoUndoEntry): void
  /** Every readable line of the journal, oldest first. A line that is torn or foreign is passed over. */
  entries(): EnsoUndoEntry[]
  /** Keeps a content and answers its digest. Older contents go where there would be too much. */
  keep(content: Buffer): string
  /** A content that was kept; `undefined` where it is gone meanwhile. */
  content(digest: string): Buffer | undefined
}

/** The digest contents are named by. */
export function contentDigest(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** The folder of one thread's changes. `threadId` has been checked: it is a folder's name. */
export function undoFolder(ensoRoot: string, threadId: string): string {
  return join(ensoRoot, 'undo', threadId)
}

const entryValidator = lazyValidator(EnsoUndoEntry)

/** The changes of one thread. Nothing is made before the first of them. */
export function createUndoStore(folder: string): UndoStore {
  const journal = join(folder, JOURNAL)

  return {
    append(entry) {
      mkdirPrivate(folder)
      // A line that a killed process left open must not swallow this one.
      const open = endsOpen(journal) ? '\n' : ''
      appendFileSync(journal, `${open}${jsonLine(entry)}\n`, { mode: PRIVATE_FILE_MODE })
    },
    entries() {
      if (!existsSync(journal)) return []
      return readFileSync(journal, 'utf8').split('\n').flatMap(readEntry)
    },
    keep(content) {
      const digest = contentDigest(content)
      const file = join(folder, digest)
      mkdirPrivate(folder)
      if (existsSync(file)) {
        const now = new Date()
        utimesSync(file, now, now)
        return digest
      }
      makeRoom(folder, content.length)
      writeFileSync(file, content, { mode: PRIVATE_FILE_MODE })
      return digest
    },
    content(digest) {
      const file = join(folder, digest)
      if (!/^[0-9a-f]{64}$/.test(digest) || !existsSync(file)) return undefined
      const content = readFileSync(file)
      return contentDigest(content) === digest ? content : undefined
    },
  }
}

/** Does the file end in the middle of a line? */
function endsOpen(file: string): boolean {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) return false
  const descriptor = openSync(file, 'r')
  try {
    const last = Buffer.alloc(1)
    readSync(descriptor, last, 0, 1, size - 1)
    return last[0] !== 0x0a
  } finally {
    closeSync(descriptor)
  }
}

function readEntry(line: string): EnsoUndoEntry[] {
  try {
    const value: unknown = JSON.parse(line)
    return entryValidator.check(value) ? [value] : []
  } catch {
    return []
  }
}

function makeRoom(folder: string, bytes: number): void {
  const kept = readdirSync(folder)
    .filter((name) => name !== JOURNAL)
    .map((name) => ({ name, stat: statSync(join(folder, name)) }))
    .sort((a, b) => b.stat.mtimeMs - a.stat.mtimeMs)
  let sum = bytes
  for (const { name, stat } of kept) {
    sum += stat.size
    if (sum > UNDO_THREAD_MAX_BYTES) rmSync(join(folder, name), { force: true })
  }
}

/** Forgets changes that are too old, and those of the threads that were changed by longest ago where there are many. */
export function pruneUndo(ensoRoot: string, now: number): void {
  const root = join(ensoRoot, 'undo')
  if (!existsSync(root)) return
  const threads = readdirSync(root)
    .map((name) => ({ name, at: statSync(join(root, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at)
  for (const [index, { name, at }] of threads.entries()) {
    if (index >= UNDO_THREADS_MAX || now - at > UNDO_KEPT_MS) rmSync(join(root, name), { recursive: true, force: true })
  }
}
