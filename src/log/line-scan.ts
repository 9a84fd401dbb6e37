import { open } from 'node:fs/promises'

/**
 * Sees the lines of a file, as bytes of a buffer that is reused afterwards: another object each time it holds other bytes.
 * `end` is where the line feed stands.
 */
export interface LineVisitor {
  line(buffer: Buffer, start: number, end: number): void
  /** A line longer than `MAX_LINE_BYTES`; it was skipped. */
  oversized(): void
  /** Called now and then between lines; reading goes on when what it returns resolves. */
  rest?(): Promise<void> | undefined
}

/** Which bytes of a file are read. */
export interface ScanRange {
  /** The byte of a line's beginning. */
  readonly from?: number
  /** Not beyond this byte; the file's size when the scan begins, if absent. */
  readonly until?: number
  readonly signal?: AbortSignal
}

/** Where a scan ended. */
export interface ScanEnd {
  /** The byte after the last whole line. */
  readonly offset: number
  /** Bytes after it: a line that is being written, or the end that a killed writer left. */
  readonly rest: number
}

/** Longer lines are skipped and counted: whatever they are, enso did not write them. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024
const CHUNK_BYTES = 1024 * 1024
const LINE_FEED = 0x0a

/**
 * Reads a file's whole lines in order, in memory that does not grow with the file. An unfinished last line is not shown.
 * @throws what the file system throws, a missing file included
 */
export async function scanLines(path: string, visitor: LineVisitor, range: ScanRange = {}): Promise<ScanEnd> {
  const file = await open(path, 'r')
  try {
    const until = range.until ?? (await file.stat()).size
    let buffer = Buffer.allocUnsafe(CHUNK_BYTES)
    let held = 0
    let position = range.from ?? 0
    let offset = position
    let skipping = false
    while (position < until && range.signal?.aborted !== true) {
      if (held === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)])
      const want = Math.min(buffer.length - held, until - position)
      const { bytesRead } = await file.read(buffer, held, want, position)
      if (bytesRead === 0) break
      position += bytesRead
      const filled = held + bytesRead
      // Who has searched it keeps what was found; a new object says that this is over.
      const chunk = buffer.subarray(0, filled)
      let start = 0
      let searchFrom = held
      for (;;) {
        const end = chunk.indexOf(LINE_FEED, searchFrom)
        if (end === -1) break
        if (skipping) visitor.oversized()
        else if (end > start) visitor.line(chunk, start, end)
        skipping = false
        start = end + 1
        searchFrom = start
      }
      await visitor.rest?.()
      offset += start
      held = filled - start
      if (start > 0) buffer.copyWithin(0, start, filled)
      if (held <= MAX_LINE_BYTES) continue
      skipping = true
      offset += held
      held = 0
    }
    return { offset, rest: skipping ? position - offset : held }
  } finally {
    await file.close()
  }
}
