import type { EnsoTextDelta, EnsoThinkingDelta, EnsoUsage } from '../core/index.js'
import type { ThreadClock } from './clock.js'

/** A piece of streamed text, said or thought. */
export type StreamDelta = EnsoTextDelta | EnsoThinkingDelta

/** How long a piece may wait for its neighbours, in milliseconds. */
export const DELTA_WAIT_MS = 40

/** How many bytes of waiting text are sent without waiting longer. */
export const DELTA_FULL_BYTES = 512

/** Joins neighbouring deltas of one content block, so that what goes out stays in proportion to what was said. */
export interface DeltaCoalescer {
  push(delta: StreamDelta): void
  /** Sends what waits. Called before anything else goes out, so that nothing overtakes a delta. */
  flush(): void
  /** The message is over: sends what waits, with the message's usage on its last delta, and forgets the message. */
  endMessage(usage: EnsoUsage | undefined): void
  /** Forgets everything, unsent text included: the runtime behind it is gone. */
  reset(): void
}

/**
 * The first delta of a content block goes out at once; after it, what arrives is joined and sent when 40 ms have passed
 * since the last one or 512 bytes wait, whichever comes first.
 *
 * `usage` is left off every delta but a message's last. Where the last one had gone out before the message ended, an
 * empty delta carries it.
 */
export function createDeltaCoalescer(clock: ThreadClock, emit: (delta: StreamDelta) => void): DeltaCoalescer {
  let last: StreamDelta | undefined
  let lastSentAt = 0
  let waiting = ''
  let waitingBytes = 0
  let usage: EnsoUsage | undefined
  let cancelTimer: (() => void) | undefined

  function send(delta: StreamDelta): void {
    lastSentAt = clock.now()
    emit(delta)
  }

  function flush(withUsage?: EnsoUsage): void {
    cancelTimer?.()
    cancelTimer = undefined
    if (last === undefined || (waiting === '' && withUsage === undefined)) return
    const text = waiting
    waiting = ''
    waitingBytes = 0
    send(deltaOf(last, text, withUsage))
  }

  function push(delta: StreamDelta): void {
    usage = delta.usage ?? usage
    if (last === undefined || last.kind !== delta.kind || last.contentIndex !== delta.contentIndex) {
      flush()
      last = delta
      send(deltaOf(delta, delta.delta, undefined))
      return
    }
    const waited = clock.now() - lastSentAt
    if (waiting === '' && waited >= DELTA_WAIT_MS) {
      send(deltaOf(delta, delta.delta, undefined))
      return
    }
    waiting += delta.delta
    waitingBytes += Buffer.byteLength(delta.delta)
    if (waitingBytes >= DELTA_FULL_BYTES) flush()
    else cancelTimer ??= clock.after(Math.max(0, DELTA_WAIT_MS - waited), () => flush())
  }

  function forget(): void {
    cancelTimer?.()
    cancelTimer = undefined
    last = undefined
    usage = undefined
    waiting = ''
    waitingBytes = 0
  }

  return {
    push,
    flush: () => flush(),
    endMessage: (finalUsage) => {
      flush(finalUsage ?? usage)
      forget()
    },
    reset: forget,
  }
}

function deltaOf({ kind, contentIndex }: StreamDelta, delta: string, usage: EnsoUsage | undefined): StreamDelta {
  return usage === undefined ? { kind, contentIndex, delta } : { kind, contentIndex, delta, usage }
}
