import { ensoLogger, type EnsoFollowFrame } from '../core/index.js'
import { createPendingFrames } from './pending-frames.js'
import type { SharedFrame } from './shared-frame.js'

const log = ensoLogger('server', 'follow')

/** Where a follow's frames go. */
export interface FollowSink {
  /**
   * Takes a frame. `line` is its JSON text, made once for all followers.
   * @returns false when the reader is behind: the frame was taken, and the next ones are kept until `resume` is called
   */
  frame(frame: EnsoFollowFrame, line: () => string): boolean
  /** No frame follows: the follower fell too far behind (or threw), or the thread layer was closed. */
  end(reason: FollowEnd): void
}

export type FollowEnd = 'dropped' | 'closed'

/** What happens to a follower that is behind: its frames are kept and joined, or it is dropped beyond a bound. */
export type FollowOverflow = 'coalesce' | 'drop'

/** A follower's own handle. */
export interface FollowHandle {
  /** The reader has caught up: what was kept goes out, until the sink says again that it is behind. */
  resume(): void
  /** Ends the follow; the sink hears nothing more, `end` included. Idempotent. */
  close(): void
}

/** How much may wait for a follower that is dropped when it falls behind, in bytes of its lines. */
export const FOLLOWER_PENDING_MAX_BYTES = 1024 * 1024

/** One follower as the feed sees it. */
export interface Follower {
  send(shared: SharedFrame): void
  resume(): void
  /** Ends the follow from this side: whatever is still kept is handed over first, unless it is dropped. */
  end(reason: FollowEnd): void
  /** Ends the follow from the reader's side. */
  close(): void
}

export interface FollowerOptions {
  readonly overflow: FollowOverflow
  /** Bytes of waiting lines after which a follower that may be dropped is dropped. */
  readonly maxPendingBytes?: number | undefined
  /** Told once, when the follower is over by whatever hand. */
  readonly onOver: () => void
}

/**
 * Hands frames to one sink in order, and never waits for it. A sink that throws ends its own follow and nothing else.
 */
export function createFollower(sink: FollowSink, options: FollowerOptions): Follower {
  const { overflow, maxPendingBytes = FOLLOWER_PENDING_MAX_BYTES, onOver } = options
  const pending = createPendingFrames(overflow === 'coalesce')
  let behind = false
  let draining = false
  let over = false

  function finish(reason: FollowEnd | undefined): void {
    if (over) return
    over = true
    pending.clear()
    onOver()
    if (reason === undefined) return
    try {
      sink.end(reason)
    } catch (error) {
      log.error('a follower threw while it ended: {error}', { error: String(error) })
    }
  }

  function hand({ frame, line }: SharedFrame): void {
    try {
      behind = !sink.frame(frame, line)
    } catch (error) {
      log.error('a follower threw and was dropped: {error}', { error: String(error) })
      finish('dropped')
    }
  }

  function keep(shared: SharedFrame): void {
    pending.push(shared)
    if (overflow === 'drop' && pending.bytes() > maxPendingBytes) {
      log.warn('a follower fell {bytes} bytes behind and was dropped', { bytes: pending.bytes() })
      finish('dropped')
    }
  }

  function drain(evenIfBehind: boolean): void {
    if (draining) return
    draining = true
    try {
      const take = (): SharedFrame | undefined => (over || (behind && !evenIfBehind) ? undefined : pending.shift())
      for (let next = take(); next !== undefined; next = take()) hand(next)
    } finally {
      draining = false
    }
  }

  return {
    send: (shared) => {
      if (over) return
      if (behind || draining || pending.size() > 0) keep(shared)
      else hand(shared)
    },
    resume: () => {
      if (over) return
      behind = false
      drain(false)
    },
    end: (reason) => {
      if (reason === 'closed' && overflow === 'coalesce') drain(true)
      finish(reason)
    },
    close: () => finish(undefined),
  }
}
