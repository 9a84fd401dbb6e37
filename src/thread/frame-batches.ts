import type { ThreadClock } from './clock.js'
import type { SharedFrame } from './shared-frame.js'

/** How long a frame may wait for others when one has just gone out, in milliseconds: nobody sees the difference. */
export const BATCH_WAIT_MS = 8

/** How many bytes of waiting lines go out without waiting longer. */
export const BATCH_FULL_BYTES = 32 * 1024

/** Frames that go out together. One and the same for all followers, so that its bytes on the wire need be made once. */
export interface FrameBatch {
  readonly frames: readonly SharedFrame[]
  /** The number of the last observation before the first frame. */
  readonly after: number
  /** Of the frames' lines. */
  readonly bytes: number
}

/** Gathers frames into batches. */
export interface FrameBatches {
  /** `after` is the number of the last observation before the frame. */
  push(shared: SharedFrame, after: number): void
  /** Sends what waits. */
  flush(): void
}

/** One frame as a batch of its own. */
export function batchOf(shared: SharedFrame, after: number): FrameBatch {
  return { frames: [shared], after, bytes: shared.line().length }
}

/** Real time; a wait of nothing is the end of this turn of the event loop. */
export const TURNS: ThreadClock = {
  now: () => performance.now(),
  after: (ms, callback) => {
    if (ms > 0) {
      const timer = setTimeout(callback, ms)
      return () => clearTimeout(timer)
    }
    const immediate = setImmediate(callback)
    return () => clearImmediate(immediate)
  },
}

/**
 * A frame that comes after a silence goes out at the end of the turn that brought it, with whatever else that turn
 * brings. Where frames come in quick succession, those of a few milliseconds go out together: writing to a follower costs
 * far more than a frame does.
 */
export function createFrameBatches(clock: ThreadClock, emit: (batch: FrameBatch) => void): FrameBatches {
  let frames: SharedFrame[] = []
  let bytes = 0
  let after = 0
  let sentAt = -BATCH_WAIT_MS
  let cancel: (() => void) | undefined

  function flush(): void {
    cancel?.()
    cancel = undefined
    if (frames.length === 0) return
    const batch: FrameBatch = { frames, after, bytes }
    frames = []
    bytes = 0
    sentAt = clock.now()
    emit(batch)
  }

  return {
    push: (shared, before) => {
      if (frames.length === 0) after = before
      frames.push(shared)
      bytes += shared.line().length
      if (bytes >= BATCH_FULL_BYTES) flush()
      else cancel ??= clock.after(Math.max(0, sentAt + BATCH_WAIT_MS - clock.now()), flush)
    },
    flush,
  }
}
