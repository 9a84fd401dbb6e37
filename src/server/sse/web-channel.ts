import { EVENT_STREAM_HEADERS, type SseChannel } from './channel.js'

/** Bytes that may wait for a reader before it is behind. */
const ROOM_BYTES = 16 * 1024

/** A channel over a web stream, for an app that is asked without a socket. */
export function createWebChannel(signal: AbortSignal): { readonly channel: SseChannel; response(): Response } {
  const ready: (() => void)[] = []
  const closed: (() => void)[] = []
  let isOver = false
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined

  function close(): void {
    if (isOver) return
    isOver = true
    for (const callback of closed) callback()
  }

  const stream = new ReadableStream<Uint8Array>(
    {
      start: (given) => void (controller = given),
      pull: () => {
        for (const callback of ready) callback()
      },
      cancel: close,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: ROOM_BYTES }),
  )
  signal.addEventListener('abort', () => {
    if (!isOver) controller?.error(signal.reason)
    close()
  })

  return {
    channel: {
      write: (piece) => {
        if (isOver || controller === undefined) return true
        controller.enqueue(piece)
        return (controller.desiredSize ?? 0) > 0
      },
      onReady: (callback) => void ready.push(callback),
      onClosed: (callback) => {
        if (isOver) callback()
        else closed.push(callback)
      },
      end: () => {
        if (!isOver) controller?.close()
        close()
      },
      destroy: () => {
        if (!isOver) controller?.error(new Error('the follow was dropped'))
        close()
      },
    },
    response: () => new Response(stream, { headers: { ...EVENT_STREAM_HEADERS } }),
  }
}
