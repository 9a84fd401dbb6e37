/** A response's body, written piece by piece. */
export interface SseChannel {
  /**
   * Writes a piece whole; the first one sends the head before it.
   * @returns false when the reader is behind: the piece was taken, `onReady` is called when there is room again
   */
  write(piece: Uint8Array): boolean
  onReady(callback: () => void): void
  /** The reader left, or the connection broke. Called at once where that has happened. */
  onClosed(callback: () => void): void
  /** Ends after what was written. */
  end(): void
  /** Ends now: what waits for a reader that takes nothing is thrown away. */
  destroy(): void
}

/** What an event stream says of itself, so that nothing on the way keeps or repacks it. */
export const EVENT_STREAM_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}
