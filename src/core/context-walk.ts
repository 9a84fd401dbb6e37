import { noMakeup } from './context-estimate.js'
import { conversationItem, type ContextItem } from './context-items.js'
import { createPreamble, type PreambleChange } from './context-preamble.js'
import type { EnsoContextMakeup } from './thread-context.js'
import type { CompactionRecord, ReplyRecord, ThreadRecord } from './thread-record.js'

/** A context as it grows along a branch. */
export interface RunningContext {
  readonly makeup: Readonly<EnsoContextMakeup>
  /** In the order the model gets them. */
  items(): readonly ContextItem[]
  /** Since the request before. */
  readonly entered: readonly ContextItem[]
  readonly left: readonly ContextItem[]
}

/** Is told what happens along the branch. `turn` is the next request's number, from 1. */
export interface ContextVisitor {
  /** Every entry, before anything else is said of it. */
  entry?(record: ThreadRecord, turn: number): void
  /** A request is sent with this context; answered by `reply`. False ends the walk. */
  request?(reply: ReplyRecord, turn: number, prompt: number, context: RunningContext): boolean
  preamble?(change: PreambleChange, record: ThreadRecord, turn: number): void
  injected?(item: ContextItem, record: ThreadRecord, turn: number): void
  compacted?(record: CompactionRecord, tokens: number, turn: number): void
}

interface Placed {
  readonly index: number
  readonly item: ContextItem
}

/**
 * Walks a branch with the context its requests were assembled from: the recorded preamble, then the newest compaction's
 * summary and what it kept, then what came after. Answers the context of the request that would come next, or of the
 * one the visitor stopped at.
 */
export function walkContext(branch: readonly ThreadRecord[], visitor: ContextVisitor): RunningContext {
  const preamble = createPreamble()
  const makeup = noMakeup()
  const calls = new Map<string, unknown>()
  const all: Placed[] = []
  let summary: ContextItem | undefined
  let current: Placed[] = []
  let entered: ContextItem[] = []
  let left: ContextItem[] = []
  let turn = 1
  let prompt = 0

  const enter = (item: ContextItem): void => {
    makeup[item.category] += item.tokens
    entered.push(item)
  }
  const leave = (item: ContextItem): void => {
    makeup[item.category] -= item.tokens
    // What came and went between two requests was in neither.
    const fresh = entered.indexOf(item)
    if (fresh === -1) left.push(item)
    else entered.splice(fresh, 1)
  }
  for (const item of preamble.items()) enter(item)

  const compact = (record: CompactionRecord, item: ContextItem): void => {
    const first = branch.findIndex(({ id }) => id === record.firstKeptId)
    const kept = first === -1 ? [] : all.filter(({ index }) => index >= first)
    const stays = new Set(kept)
    const was = new Set(current)
    const gone = current.filter((placed) => !stays.has(placed))
    const back = kept.filter((placed) => !was.has(placed))
    const removed = [...(summary === undefined ? [] : [summary]), ...gone.map((placed) => placed.item)]
    const added = [item, ...back.map((placed) => placed.item)]
    for (const one of removed) leave(one)
    for (const one of added) enter(one)
    summary = item
    current = kept
    visitor.compacted?.(record, tokensOf(added) - tokensOf(removed), turn)
  }

  const context = (): RunningContext => ({
    makeup,
    items: () => [...preamble.items(), ...(summary === undefined ? [] : [summary]), ...current.map(({ item }) => item)],
    entered,
    left,
  })

  for (const [index, record] of branch.entries()) {
    visitor.entry?.(record, turn)
    const change = preamble.take(record)
    if (change !== undefined) {
      for (const item of change.left) leave(item)
      for (const item of change.entered) enter(item)
      visitor.preamble?.(change, record, turn)
    }
    if (record.kind === 'prompt') prompt++
    if (record.kind === 'reply') {
      if (visitor.request?.(record, turn, prompt, context()) === false) return context()
      turn++
      entered = []
      left = []
      for (const part of record.parts) if (part.type === 'tool-call') calls.set(part.toolCallId, part.args)
    }
    const item = conversationItem(record, calls)
    if (item === undefined) continue
    if (record.kind === 'compaction') {
      compact(record, item)
      continue
    }
    const placed = { index, item }
    all.push(placed)
    current.push(placed)
    enter(item)
    if (record.kind === 'injected') visitor.injected?.(item, record, turn)
  }
  return context()
}

function tokensOf(items: readonly ContextItem[]): number {
  return items.reduce((sum, { tokens }) => sum + tokens, 0)
}
