import type { EnsoToolResultObservation } from '../core/index.js'
import type { StreamDelta } from './delta-coalescer.js'
import { type SharedFrame, shareFrame } from './shared-frame.js'

/** What is kept for a follower that is behind, in order. */
export interface Pending<Piece> {
  push(piece: Piece): void
  shift(): Piece | undefined
  size(): number
  clear(): void
}

/**
 * A queue of frames: a delta is joined to its neighbour and a running tool's text replaces the one before it, so that
 * what is kept grows with what was said and not with the number of frames; nothing is lost.
 */
export function createPendingFrames(): Pending<SharedFrame> {
  let frames: (SharedFrame | undefined)[] = []
  let head = 0
  let count = 0
  /** Where the kept text of each running tool stands in `frames`. */
  const runningAt = new Map<string, number>()

  function clear(): void {
    frames = []
    head = 0
    count = 0
    runningAt.clear()
  }

  function dropRunning(toolCallId: string): void {
    const at = runningAt.get(toolCallId)
    if (at === undefined) return
    frames[at] = undefined
    count--
    runningAt.delete(toolCallId)
  }

  function push(shared: SharedFrame): void {
    const joined = joinDeltas(frames.at(-1), shared)
    if (joined !== undefined) {
      frames[frames.length - 1] = joined
      return
    }
    const result = toolResultOf(shared)
    if (result !== undefined) {
      dropRunning(result.toolCallId)
      if (!result.complete) runningAt.set(result.toolCallId, frames.length)
    }
    frames.push(shared)
    count++
  }

  function shift(): SharedFrame | undefined {
    while (head < frames.length) {
      const next = frames[head++]
      if (next === undefined) continue
      count--
      const result = toolResultOf(next)
      if (result !== undefined && runningAt.get(result.toolCallId) === head - 1) runningAt.delete(result.toolCallId)
      if (count === 0) clear()
      return next
    }
    clear()
    return undefined
  }

  return { push, shift, size: () => count, clear }
}

/** Both deltas as one frame with the later one's seq; `undefined` where they don't belong together. */
function joinDeltas(before: SharedFrame | undefined, after: SharedFrame): SharedFrame | undefined {
  const first = deltaOf(before)
  const second = deltaOf(after)
  if (first === undefined || second === undefined || after.frame.type !== 'observation') return undefined
  if (first.kind !== second.kind || first.contentIndex !== second.contentIndex || first.usage !== undefined) {
    return undefined
  }
  const { kind, contentIndex, usage } = second
  const delta = first.delta + second.delta
  const observation: StreamDelta =
    usage === undefined ? { kind, contentIndex, delta } : { kind, contentIndex, delta, usage }
  return shareFrame({ type: 'observation', seq: after.frame.seq, observation })
}

function deltaOf(shared: SharedFrame | undefined): StreamDelta | undefined {
  if (shared?.frame.type !== 'observation') return undefined
  const { observation } = shared.frame
  return observation.kind === 'text-delta' || observation.kind === 'thinking-delta' ? observation : undefined
}

function toolResultOf(shared: SharedFrame): EnsoToolResultObservation | undefined {
  if (shared.frame.type !== 'observation') return undefined
  const { observation } = shared.frame
  return observation.kind === 'tool-result' ? observation : undefined
}
