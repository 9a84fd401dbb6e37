import type { SseChannel } from './channel.js'

/** Events to one reader. */
export interface EventStream {
  /** Writes whole events. @returns false when nothing more should come before `onReady` */
  write(events: Uint8Array): boolean
  /** A comment that keeps the connection warm; left out where the reader is behind. */
  beat(): void
  onReady(callback: () => void): void
  onClosed(callback: () => void): void
  /** Ends after what was written. */
  end(): void
  /** Ends now. */
  drop(): void
}

const COMMENT = Buffer.from(':\n\n')

/** A channel that events are written to, and that is kept warm. */
export function createEventStream(channel: SseChannel): EventStream {
  let isBehind = false
  let isOver = false

  channel.onReady(() => void (isBehind = false))
  channel.onClosed(() => void (isOver = true))

  function write(piece: Uint8Array): boolean {
    if (isOver) return true
    isBehind = !channel.write(piece)
    return !isBehind
  }

  return {
    write,
    beat: () => {
      if (!isBehind) write(COMMENT)
    },
    onReady: (callback) => channel.onReady(callback),
    onClosed: (callback) => channel.onClosed(callback),
    end: () => {
      if (isOver) return
      isOver = true
      channel.end()
    },
    drop: () => {
      isOver = true
      channel.destroy()
    },
  }
}
