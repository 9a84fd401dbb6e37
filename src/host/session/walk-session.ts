import { ENSO_PERMISSION_MODE_ENTRY, interruptedTailOf } from '../../core/index.js'
import type { EnsoTranscriptEntry, StoredThreadReading, StoredThreadTold } from '../../core/index.js'
import { loose } from '../observe/message-values.js'
import { type BranchIndex, indexBranch } from './branch-index.js'
import { decodeEntry, isStoredEntry, type StoredEntry } from './decode-entries.js'
import { readJsonLines } from './read-json-lines.js'
import { readSession } from './read-session.js'
import { createUsageTally } from './usage-of-entries.js'

/** What is told of a thread beside its entries, gathered while they go by. */
interface Gathered {
  /** An entry of the branch. */
  entry(stored: StoredEntry): EnsoTranscriptEntry
  told(rest: Pick<StoredThreadReading, 'usage' | 'skippedLines'>): StoredThreadTold
}

function createGathered(): Gathered {
  let mode: unknown
  // The newest message and what followed it: how a branch ends is told from those.
  let tail: EnsoTranscriptEntry[] = []
  return {
    entry(stored) {
      if (stored.type === 'custom' && stored['customType'] === ENSO_PERMISSION_MODE_ENTRY) {
        mode = loose(stored['data'])['mode']
      }
      const entry = decodeEntry(stored)
      if (entry.kind === 'message') tail = [entry]
      else if (entry.kind === 'tool-result') tail.push(entry)
      return entry
    },
    told: ({ usage, skippedLines }) => ({
      interrupted: interruptedTailOf(tail),
      usage,
      permissionMode: { mode: typeof mode === 'string' && mode !== '' ? mode : 'default', available: [] },
      skippedLines,
    }),
  }
}

/**
 * Shows the entries of a session's current branch one after another, in memory that doesn't grow with the file: its
 * branch is found first, then each line is parsed once. `show` ends the walk with `false`.
 * @throws EnsoError `thread-unreadable`, and what the file system throws
 */
export async function walkSession(
  file: string,
  show: (entry: EnsoTranscriptEntry) => unknown,
): Promise<StoredThreadTold> {
  const branch = await indexBranch(file)
  return branch === undefined ? walkWhole(file, show) : walkIndexed(file, branch, show)
}

async function walkIndexed(
  file: string,
  branch: BranchIndex,
  show: (entry: EnsoTranscriptEntry) => unknown,
): Promise<StoredThreadTold> {
  const gathered = createGathered()
  const usage = createUsageTally()
  let skippedLines = 0
  let isHeader = true
  for await (const { value, offset } of readJsonLines(file)) {
    if (isHeader) isHeader = false
    else if (!isStoredEntry(value)) skippedLines++
    else {
      usage.add(value)
      if (branch.has(offset) && (await show(gathered.entry(value))) === false) break
    }
  }
  return gathered.told({ usage: usage.sum(null), skippedLines })
}

/** The same for a file that has to be read whole before its branch is known. */
async function walkWhole(file: string, show: (entry: EnsoTranscriptEntry) => unknown): Promise<StoredThreadTold> {
  const { all, branch, skippedLines } = await readSession(file)
  const gathered = createGathered()
  const usage = createUsageTally()
  for (const entry of all) usage.add(entry)
  for (const entry of branch) if ((await show(gathered.entry(entry))) === false) break
  return gathered.told({ usage: usage.sum(null), skippedLines })
}
