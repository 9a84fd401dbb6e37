import { ensoLogger, type EnsoFollowFrame } from '../core/index.js'
import type { FrameBatch } from './frame-batches.js'
import { createPendingBatches } from './pending-batches.js'
import { createPendingFrames, type Pending } from './pending-frames.js'
import type { SharedFrame } from './shared-frame.js'

const log = ensoLogger('server', 'follow')

/** Where a follow's frames go, one at a time and each at once. */
export interface FollowSink {
  /**
   * Takes a frame. `line` is its JSON text, made once for all followers.
   * @returns false when the reader is behind: the frame was taken, and the next ones are kept until `resume` is called
   */
  frame(frame: EnsoFollowFrame, line: () => string): boolean
  /** No frame follows: the sink threw, or the thread layer was closed. */
  end(reason: FollowEnd): void
}

/** Where a follow's frames go in batches, which are the same ones for every follower. */
export interface BatchSink {
  /** Takes a batch. @returns false when the reader is behind: the batch was taken, and the next ones are kept */
  batch(batch: FrameBatch): boolean
  /** No batch follows: the follower fell too far behind (or threw), or the thread layer was closed. */
  end(reason: FollowEnd): void
}

export type FollowEnd = 'dropped' | 'closed'

/** A follower's own handle. */
export interface FollowHandle {
  /** The reader has caught up: what was kept goes out, until the sink says again that it is behind. */
  resume(): void
  /** Ends the follow; the sink hears nothing more, `end` included. Idempotent. */
  close(): void
}

/** How much may wait for a follower that takes batches, in bytes of its lines. */
export const FOLLOWER_PENDING_MAX_BYTES = 1024 * 1024

/** One follower as the feed sees it. */
export interface Follower<Piece = SharedFrame> {
  send(piece: Piece): void
  resume(): void
  /** Ends the follow from this side. */
  end(reason: FollowEnd): void
  /** Ends the follow from the reader's side. */
  close(): void
}

/**
 * A follower that loses nothing: while it is behind, what is kept for it is joined, and handed over when the feed
 * closes. `onOver` is told once, when the follower is over by whatever hand.
 */
export function createFollower(sink: FollowSink, onOver: () => void): Follower {
  return createReader({
    hand: ({ frame, line }) => sink.frame(frame, line),
    end: (reason) => sink.end(reason),
    pending: createPendingFrames(),
    isFull: () => false,
    owedAtEnd: true,
    onOver,
  })
}

/** A follower that is dropped when more than `maxPendingBytes` wait for it: it comes back for a snapshot. */
export function createBatchFollower(
  sink: BatchSink,
  onOver: () => void,
  maxPendingBytes: number = FOLLOWER_PENDING_MAX_BYTES,
): Follower<FrameBatch> {
  const pending = createPendingBatches()
  return createReader({
    hand: (batch) => sink.batch(batch),
    end: (reason) => sink.end(reason),
    pending,
    isFull: () => pending.bytes() > maxPendingBytes,
    owedAtEnd: false,
    onOver,
  })
}

interface Reader<Piece> {
  readonly hand: (piece: Piece) => boolean
  readonly end: (reason: FollowEnd) => void
  readonly pending: Pending<Piece>
  readonly isFull: () => boolean
  /** What is still kept is handed over before the end. */
  readonly owedAtEnd: boolean
  readonly onOver: () => void
}

/** Hands pieces over in order, and never waits for it. One who throws ends its own follow and nothing else. */
function createReader<Piece>(reader: Reader<Piece>): Follower<Piece> {
  const { pending } = reader
  let behind = false
  let draining = false
  let over = false

  function finish(reason: FollowEnd | undefined): void {
    if (over) return
    over = true
    pending.clear()
    reader.onOver()
    if (reason === undefined) return
    try {
      reader.end(reason)
    } catch (error) {
      log.error('a follower threw while it ended: {error}', { error: String(error) })
    }
  }

  function hand(piece: Piece): void {
    try {
      behind = !reader.hand(piece)
    } catch (error) {
      log.error('a follower threw and was dropped: {error}', { error: String(error) })
      finish('dropped')
    }
  }

  function keep(piece: Piece): void {
    pending.push(piece)
    if (!reader.isFull()) return
    log.warn('a follower fell too far behind and was dropped', { waiting: pending.size() })
    finish('dropped')
  }

  function drain(evenIfBehind: boolean): void {
    if (draining) return
    draining = true
    try {
      const take = (): Piece | undefined => (over || (behind && !evenIfBehind) ? undefined : pending.shift())
      for (let next = take(); next !== undefined; next = take()) hand(next)
    } finally {
      draining = false
    }
  }

  return {
    send: (piece) => {
      if (over) return
      if (behind || draining || pending.size() > 0) keep(piece)
      else hand(piece)
    },
    resume: () => {
      if (over) return
      behind = false
      drain(false)
    },
    end: (reason) => {
      if (reason === 'closed' && reader.owedAtEnd) drain(true)
      finish(reason)
    },
    close: () => finish(undefined),
  }
}
