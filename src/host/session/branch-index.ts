import { currentBranch, isStoredEntry, type StoredEntry } from './decode-entries.js'
import { parseJsonLine, readJsonLines } from './read-json-lines.js'
import { sessionHeaderOf } from './session-file.js'

/** An entry's place in the tree. */
type Place = Pick<StoredEntry, 'id' | 'parentId'>

/** How most entries begin; their ids stand before anything that is long. */
const HEAD = /^\{"type":"(?!session")\w+","id":"([\w-]+)","parentId":(?:null|"([\w-]+)"),"timestamp":"/
const HEAD_BYTES = 160
const CLOSING_BRACE = 0x7d

/** An entry's place, without parsing it where its head says it. What comes behind the head is not looked at. */
function placeOf(buffer: Buffer, start: number, end: number): Place | undefined {
  const head = HEAD.exec(buffer.toString('latin1', start, Math.min(end, start + HEAD_BYTES)))
  if (head?.[1] !== undefined && buffer[end - 1] === CLOSING_BRACE) return { id: head[1], parentId: head[2] ?? null }
  const value = parseJsonLine(buffer, start, end)
  return isStoredEntry(value) ? value : undefined
}

/** Tells of a line by where it begins whether it is of the branch. */
export interface BranchIndex {
  has(offset: number): boolean
}

/**
 * Which lines of a session are its current branch, without parsing them, in memory for their ids alone. Nothing where
 * the file is not plain enough for that: of the oldest format, with an id twice, or with parents behind children.
 * @throws what the file system throws
 */
export async function indexBranch(file: string): Promise<BranchIndex | undefined> {
  const places: { readonly id: string; readonly parentId: string | null; readonly offset: number }[] = []
  const ids = new Set<string>()
  let begun = false
  // Most threads were never gone back in: each entry follows the one before it.
  let isOneLine = true
  let last: string | null = null
  const look = (buffer: Buffer, start: number, end: number): unknown =>
    begun ? placeOf(buffer, start, end) : parseJsonLine(buffer, start, end)
  for await (const { value, offset } of readJsonLines(file, look)) {
    if (!begun) {
      if ((sessionHeaderOf(value)?.version ?? 0) < 2) return undefined
      begun = true
      continue
    }
    if (value === undefined) continue
    const { id, parentId } = value as Place
    ids.add(id)
    if (parentId !== last) isOneLine = false
    last = id
    places.push({ id, parentId, offset })
  }
  if (!begun || ids.size < places.length) return undefined
  const end = places.at(-1)?.offset ?? 0
  if (isOneLine) return { has: (offset) => offset <= end }
  const branch = currentBranch(places).map(({ offset }) => offset)
  return branch.every((offset, index) => index === 0 || offset > branch[index - 1]!) ? new Set(branch) : undefined
}
