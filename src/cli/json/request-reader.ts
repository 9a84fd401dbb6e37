/** What a stream of request lines turns into. Lines are numbered from 1 as the sender counts them, blank ones too. */
export interface RequestLines {
  line(text: string, number: number): void
  /** A line that can't be a request: why. Nothing of it is kept. */
  unreadable(reason: 'too-large' | 'not-utf8', number: number): void
}

export interface RequestReader {
  push(chunk: Uint8Array): void
  /** The stream is over; a last line without a line feed is a line. */
  end(): void
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const FIRST_ROOM = 4096

/**
 * Splits bytes into lines by LF alone, for a protocol whose lines may hold any other separator inside a JSON string.
 *
 * A byte order mark before the first line, a CR before a line feed and blank lines are ignored. A line of more than
 * `maxBytes` is skipped without being kept, so memory is bounded by one line however it is chunked. Bytes that are no
 * UTF-8 are refused rather than replaced: a replaced byte would be another request than the one sent.
 */
export function createRequestReader(maxBytes: number, lines: RequestLines): RequestReader {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  // The CR and the byte order mark don't count against the limit.
  const room = maxBytes + 4
  let kept: Uint8Array = new Uint8Array(0)
  let size = 0
  let skipping = false
  let number = 0

  function keep(part: Uint8Array): void {
    skipping ||= size + part.length > room
    if (skipping) {
      kept = new Uint8Array(0)
      size = 0
      return
    }
    if (size + part.length > kept.length) {
      const grown = new Uint8Array(Math.min(room, Math.max(FIRST_ROOM, size + part.length, kept.length * 2)))
      grown.set(kept.subarray(0, size))
      kept = grown
    }
    kept.set(part, size)
    size += part.length
  }

  function finish(bytes: Uint8Array): void {
    number++
    const content = trim(bytes, number === 1)
    const tooLarge = skipping || content.length > maxBytes
    skipping = false
    size = 0
    if (kept.length > FIRST_ROOM) kept = new Uint8Array(0)
    if (tooLarge) return lines.unreadable('too-large', number)
    let text: string
    try {
      text = decoder.decode(content)
    } catch {
      return lines.unreadable('not-utf8', number)
    }
    if (text.trim() !== '') lines.line(text, number)
  }

  return {
    push(chunk) {
      let from = 0
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
        const part = chunk.subarray(from, at)
        from = at + 1
        if (size === 0 && !skipping) {
          finish(part)
        } else {
          keep(part)
          finish(kept.subarray(0, size))
        }
      }
      if (from < chunk.length) keep(chunk.subarray(from))
    },
    end() {
      if (size > 0 || skipping) finish(kept.subarray(0, size))
    },
  }
}

function trim(bytes: Uint8Array, first: boolean): Uint8Array {
  const start = first && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  const end = bytes[bytes.length - 1] === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length
  return bytes.subarray(start, Math.max(start, end))
}
