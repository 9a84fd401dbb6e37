import type { ServerResponse } from 'node:http'
import { RESPONSE_HEADERS } from '../guards/response-headers.js'
import { EVENT_STREAM_HEADERS, type SseChannel } from './channel.js'

/** How long a reader may take nothing while something waits for it, in milliseconds: some heartbeats. */
export const STALLED_MS = 60_000

/**
 * A channel over Node's own response. The body ends where the connection does, so that a piece goes out as it is, in
 * one write, and is the same bytes for every reader. One that takes nothing for long is cut off, so that what waits for
 * it is not kept for ever.
 */
export function createNodeChannel(response: ServerResponse, stalledMs: number = STALLED_MS): SseChannel {
  let started = false

  function start(): void {
    started = true
    response.useChunkedEncodingByDefault = false
    response.shouldKeepAlive = false
    response.setTimeout(stalledMs, () => response.destroy())
    response.writeHead(200, { ...RESPONSE_HEADERS, ...EVENT_STREAM_HEADERS, connection: 'close' })
  }

  return {
    write: (piece) => {
      if (response.destroyed) return true
      if (!started) start()
      return response.write(piece)
    },
    onReady: (callback) => void response.on('drain', callback),
    onClosed: (callback) => {
      if (response.destroyed || response.closed) callback()
      else response.once('close', callback)
    },
    end: () => {
      if (!started) start()
      response.end()
    },
    destroy: () => void response.destroy(),
  }
}
