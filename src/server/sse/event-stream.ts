import type { SseChannel } from './channel.js'
import { EVENTS_PER_WRITE, type JoinEvents, type Turn } from './event-batches.js'

/** Bytes of events that may wait for the end of a turn before the sender has to hold back. */
const TURN_BYTES = 256 * 1024

/** Events to one reader. */
export interface EventStream {
  /** Takes an event, written as it goes over the wire. @returns false when nothing more should come before `onReady` */
  send(event: string): boolean
  /** A comment that keeps the connection warm; left out where the reader is behind. */
  beat(): void
  onReady(callback: () => void): void
  onClosed(callback: () => void): void
  /** Writes what waits and ends. */
  end(): void
  /** Throws away what waits and ends. */
  drop(): void
}

/** How streams write together. */
export interface EventWriting {
  readonly join: JoinEvents
  readonly turn: Turn
}

const COMMENT = Buffer.from(':\n\n')

/** Event text as the wire has it. `data` holds no line feed. */
export function eventText(id: string | number, data: string): string {
  return `id: ${id}\ndata: ${data}\n\n`
}

/** Writes what a turn of the event loop brings in few pieces, and nothing while the reader is behind. */
export function createEventStream(channel: SseChannel, { join, turn }: EventWriting): EventStream {
  const ready: (() => void)[] = []
  let waiting: string[] = []
  let bytes = 0
  let isBehind = false
  let isDue = false
  let isOver = false

  function flush(): void {
    isDue = false
    const due = waiting
    waiting = []
    for (let from = 0; from < due.length; from += EVENTS_PER_WRITE) {
      const some = due.length <= EVENTS_PER_WRITE ? due : due.slice(from, from + EVENTS_PER_WRITE)
      if (!channel.write(join(some))) isBehind = true
    }
    const wasFull = bytes >= TURN_BYTES
    bytes = 0
    if (wasFull && !isBehind) tellReady()
  }

  function tellReady(): void {
    for (const callback of ready) callback()
  }

  channel.onReady(() => {
    if (!isBehind) return
    isBehind = false
    tellReady()
  })
  channel.onClosed(() => {
    isOver = true
    waiting = []
  })

  return {
    send: (event) => {
      if (isOver) return true
      waiting.push(event)
      bytes += event.length
      if (!isDue) {
        isDue = true
        turn.after(flush)
      }
      return !isBehind && bytes < TURN_BYTES
    },
    beat: () => {
      if (!isOver && !isBehind && waiting.length === 0 && !channel.write(COMMENT)) isBehind = true
    },
    onReady: (callback) => void ready.push(callback),
    onClosed: (callback) => channel.onClosed(callback),
    end: () => {
      if (isOver) return
      flush()
      isOver = true
      channel.end()
    },
    drop: () => {
      isOver = true
      waiting = []
      channel.destroy()
    },
  }
}
