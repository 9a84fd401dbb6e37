/** One server-sent event. `raw` is its lines, for whoever has to say what was wrong with it. */
export interface SseEvent {
  readonly event: string | null
  readonly data: string
  readonly raw: readonly string[]
}

/** Turns the bytes of a stream of events into events. */
export interface SseReader {
  /** The events that these bytes complete. */
  push(chunk: Uint8Array | ArrayBuffer | string): readonly SseEvent[]
  /** The stream is over: what its last line completes, and what was never completed, if anything was begun. */
  end(): { readonly complete: readonly SseEvent[]; readonly rest: SseEvent | undefined }
}

/**
 * Reads all events of a chunk at once. Each byte is looked at once, however many chunks an event comes in, and a line
 * ends with LF, CR, or both.
 */
export function createSseReader(): SseReader {
  const decoder = new TextDecoder()
  /** The pieces of a line that has not ended. */
  let open: string[] = []
  /** The last chunk ended with CR: an LF may belong to it. */
  let endedWithCr = false
  let event: string | null = null
  let data: string[] = []
  let raw: string[] = []

  function take(): SseEvent {
    const taken = { event, data: data.length === 1 ? data[0]! : data.join('\n'), raw }
    event = null
    data = []
    raw = []
    return taken
  }
  const isBegun = (): boolean => data.length > 0 || (event !== null && event !== '')

  function line(text: string, into: SseEvent[]): void {
    if (text === '') {
      if (isBegun()) into.push(take())
      return
    }
    raw.push(text)
    const colon = text.indexOf(':')
    if (colon === 0) return
    const name = colon === -1 ? text : text.slice(0, colon)
    if (name !== 'data' && name !== 'event') return
    const from = colon === -1 ? text.length : text[colon + 1] === ' ' ? colon + 2 : colon + 1
    const value = text.slice(from)
    if (name === 'data') data.push(value)
    else event = value
  }

  function lines(given: string, into: SseEvent[]): void {
    let text = given
    if (endedWithCr && text.startsWith('\n')) text = text.slice(1)
    if (given !== '') endedWithCr = text === '' ? false : text.endsWith('\r')
    if (text.includes('\r')) text = text.replace(/\r\n?/g, '\n')
    let at = 0
    for (let feed = text.indexOf('\n'); feed !== -1; feed = text.indexOf('\n', at)) {
      const piece = text.slice(at, feed)
      at = feed + 1
      if (open.length === 0) {
        line(piece, into)
        continue
      }
      open.push(piece)
      const whole = open.join('')
      open = []
      line(whole, into)
    }
    if (at < text.length) open.push(at === 0 ? text : text.slice(at))
  }

  return {
    push(chunk) {
      const into: SseEvent[] = []
      lines(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }), into)
      return into
    },
    end() {
      const complete: SseEvent[] = []
      lines(decoder.decode(), complete)
      const last = open.join('')
      open = []
      if (last !== '') line(last, complete)
      return { complete, rest: isBegun() ? take() : undefined }
    },
  }
}
