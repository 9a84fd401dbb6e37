import { EnsoError } from '../../core/index.js'
import { currentBranch, isStoredEntry, type StoredEntry } from './decode-entries.js'
import { loose } from '../observe/message-values.js'
import { readJsonLines } from './read-json-lines.js'
import { sessionHeaderOf, type SessionHeader } from './session-file.js'

/** A session file as it stands: nothing in it is believed to be whole. */
export interface ReadSession {
  readonly header: SessionHeader
  /** Each entry once; where an id stands twice, the later one counts. */
  readonly all: readonly StoredEntry[]
  readonly branch: readonly StoredEntry[]
  /** Lines that are no entries: torn, NUL-filled, foreign. */
  readonly skippedLines: number
}

/**
 * Reads a session file whole, without writing to it.
 * @throws EnsoError `thread-unreadable`, and what the file system throws
 */
export async function readSession(file: string): Promise<ReadSession> {
  const entries = new Map<string, StoredEntry>()
  let header: SessionHeader | undefined
  let upgrade: ((value: unknown) => unknown) | undefined
  let skippedLines = 0
  for await (const { value } of readJsonLines(file)) {
    if (header === undefined) {
      header = sessionHeaderOf(value)
      if (header === undefined) {
        throw new EnsoError('thread-unreadable', `the thread's file does not begin with a session header: ${file}`)
      }
      if (header.version < 2) upgrade = upgradeFromFirst()
      continue
    }
    const entry = upgrade === undefined ? value : upgrade(value)
    if (!isStoredEntry(entry)) {
      skippedLines++
      continue
    }
    // The last line is the leaf, also where it says an id again.
    entries.delete(entry.id)
    entries.set(entry.id, entry)
  }
  if (header === undefined) throw new EnsoError('thread-unreadable', `the thread's file is empty: ${file}`)
  const all = [...entries.values()]
  return { header, all, branch: currentBranch(all), skippedLines }
}

/**
 * The header and the entries of a session's file as they stand, whatever their ids, for the library to go on with; the
 * file begins with a header. Lines that are no entries are counted.
 * @throws what the file system throws
 */
export async function readEntryLines(file: string): Promise<{ lines: readonly unknown[]; skipped: number }> {
  const lines: unknown[] = []
  let skipped = 0
  for await (const { value } of readJsonLines(file)) {
    if (lines.length === 0 || isStoredEntry(value)) lines.push(value)
    else skipped++
  }
  return { lines, skipped }
}

/** Entries of the first version of the format had no ids: each followed the one before it. */
function upgradeFromFirst(): (value: unknown) => unknown {
  let line = 0
  return (value) => {
    line++
    const { type, firstKeptEntryIndex } = loose(value)
    if (typeof type !== 'string') return value
    const id = `line-${line}`
    const kept = typeof firstKeptEntryIndex === 'number' ? { firstKeptEntryId: `line-${firstKeptEntryIndex}` } : {}
    return { ...loose(value), ...kept, id, parentId: line === 1 ? null : `line-${line - 1}` }
  }
}
