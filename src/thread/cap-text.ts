/** A text that was cut: how many bytes of UTF-8 are shown, of how many. */
export interface CappedText {
  readonly text: string
  readonly shown: number
  readonly total: number
}

/** The first `maxBytes` bytes of `text`, cut between characters; `undefined` when all of it fits. */
export function capToStart(text: string, maxBytes: number): CappedText | undefined {
  const total = overflowingSize(text, maxBytes)
  if (total === undefined) return undefined
  // A code unit is at least one byte, so nothing past this slice can be shown.
  const bytes = Buffer.from(withoutLooseEnds(text.slice(0, maxBytes)))
  let end = Math.min(maxBytes, bytes.length)
  while (end > 0 && end < bytes.length && isContinuation(bytes[end])) end--
  return { text: bytes.toString('utf8', 0, end), shown: end, total }
}

/** The last `maxBytes` bytes of `text`, cut between characters; `undefined` when all of it fits. */
export function capToEnd(text: string, maxBytes: number): CappedText | undefined {
  const total = overflowingSize(text, maxBytes)
  if (total === undefined) return undefined
  const bytes = Buffer.from(withoutLooseEnds(text.slice(-maxBytes)))
  let start = Math.max(0, bytes.length - maxBytes)
  while (start < bytes.length && isContinuation(bytes[start])) start++
  return { text: bytes.toString('utf8', start), shown: bytes.length - start, total }
}

/** The size in bytes where it is over the limit; the exact count is skipped where the length alone proves it is not. */
function overflowingSize(text: string, maxBytes: number): number | undefined {
  if (text.length * 3 <= maxBytes) return undefined
  const total = Buffer.byteLength(text)
  return total > maxBytes ? total : undefined
}

/** Without the halves of surrogate pairs that slicing may have left at either end. */
function withoutLooseEnds(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/, '').replace(/[\uD800-\uDBFF]$/, '')
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
