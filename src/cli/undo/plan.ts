import type { ThreadRecords } from '../../core/index.js'
import type { EnsoUndoBefore, EnsoUndoEntry } from '../../core/undo.js'

type Before = Extract<EnsoUndoEntry, { kind: 'before' }>

/** One file as it is to become again. */
export interface FileToGiveBack {
  readonly path: string
  /** What stood there before the first of the calls. */
  readonly before: EnsoUndoBefore
  /** What stood there after the last one: its digest, null for no file, `undefined` where nobody saw it end. */
  readonly after: string | null | undefined
}

/** What would be undone. */
export interface UndoPlan {
  /** The first prompt whose changes are undone, counted from 1 over the thread's branch. */
  readonly prompt: number
  readonly toolCallIds: readonly string[]
  readonly files: readonly FileToGiveBack[]
}

/** The prompt of each tool call on the branch, counted from 1. */
export function promptsOfCalls({ branch }: Pick<ThreadRecords, 'branch'>): ReadonlyMap<string, number> {
  const prompts = new Map<string, number>()
  let prompt = 0
  for (const record of branch) {
    if (record.kind === 'prompt') prompt++
    if (record.kind !== 'reply') continue
    for (const part of record.parts) if (part.type === 'tool-call') prompts.set(part.toolCallId, prompt)
  }
  return prompts
}

/**
 * What is undone from a prompt on, `from`; without one the last prompt that changed files. Nothing where no change of
 * that kind is left.
 */
export function planUndo(
  entries: readonly EnsoUndoEntry[],
  prompts: ReadonlyMap<string, number>,
  from: number | undefined,
): UndoPlan | undefined {
  const undone = new Set(entries.flatMap((entry) => (entry.kind === 'undone' ? entry.toolCallIds : [])))
  const changes = entries.filter(
    (entry): entry is Before =>
      entry.kind === 'before' && !undone.has(entry.toolCallId) && prompts.has(entry.toolCallId),
  )
  const promptOf = ({ toolCallId }: Before): number => prompts.get(toolCallId) ?? 0
  const first = from ?? Math.max(0, ...changes.map(promptOf))
  const chosen = changes.filter((change) => promptOf(change) >= first)
  if (chosen.length === 0) return undefined
  const paths = [...new Set(chosen.map(({ path }) => path))]
  return {
    prompt: Math.min(...chosen.map(promptOf)),
    toolCallIds: chosen.map(({ toolCallId }) => toolCallId),
    files: paths.map((path) => fileOf(path, chosen, entries)),
  }
}

function fileOf(path: string, chosen: readonly Before[], entries: readonly EnsoUndoEntry[]): FileToGiveBack {
  const ofPath = chosen.filter((change) => change.path === path)
  const ids = new Set(ofPath.map(({ toolCallId }) => toolCallId))
  const ends = entries.filter((entry) => entry.kind === 'after' && ids.has(entry.toolCallId))
  const last = ends.at(-1)
  const isWhole = ends.length === ids.size && last?.kind === 'after'
  return {
    path,
    before: ofPath[0]?.before ?? { kind: 'absent' },
    after: isWhole ? last.digest : undefined,
  }
}
