import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'

/** Longer lines are skipped: no entry of ours comes near it, and memory stays bounded. */
export const JSON_LINE_MAX_BYTES = 64 * 1024 * 1024

/** One line of a file. */
export interface JsonLine {
  /** What was made of it; `undefined` when it is no JSON (torn, NUL-filled, foreign) or over the bound. */
  readonly value: unknown
  /** Where the line starts in the file. */
  readonly offset: number
  /** Without its line feed. */
  readonly bytes: number
}

/** Read at a time; the buffer grows with the longest line. */
const CHUNK_BYTES = 256 * 1024
const LINE_FEED = 0x0a

/** What a reader makes of a line's bytes. */
export type ParseLine = (buffer: Buffer, start: number, end: number) => unknown

/** The line's value, or `undefined` when it is no JSON. */
export function parseJsonLine(buffer: Buffer, start: number, end: number): unknown {
  try {
    return JSON.parse(buffer.toString('utf8', start, end)) as unknown
  } catch {
    return undefined
  }
}

function isBlank(buffer: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = buffer[at]
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false
  }
  return true
}

/**
 * The lines of a JSONL file in order, split on LF alone; blank lines are passed over. A last line without a line feed
 * comes like any other. Never writes.
 * @param parse what is made of each line; its JSON value if left out
 * @throws what the file system throws
 */
export async function* readJsonLines(file: string, parse: ParseLine = parseJsonLine): AsyncGenerator<JsonLine> {
  const handle = await open(file, 'r')
  try {
    let buffer = Buffer.allocUnsafe(CHUNK_BYTES)
    // The line that is not complete yet: where it starts, its bytes at the buffer's beginning, and those let go of.
    let offset = 0
    let held = 0
    let dropped = 0
    for (let position = 0; ;) {
      if (held === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)])
      const { bytesRead } = await handle.read(buffer, held, buffer.length - held, position)
      if (bytesRead === 0) break
      position += bytesRead
      const filled = held + bytesRead
      let from = 0
      let feed = buffer.indexOf(LINE_FEED, held)
      while (feed !== -1 && feed < filled) {
        const bytes = dropped + feed - from
        if (bytes > JSON_LINE_MAX_BYTES) yield { value: undefined, offset, bytes }
        else if (!isBlank(buffer, from, feed)) yield { value: parse(buffer, from, feed), offset, bytes }
        offset += bytes + 1
        dropped = 0
        from = feed + 1
        feed = buffer.indexOf(LINE_FEED, from)
      }
      held = filled - from
      buffer.copyWithin(0, from, filled)
      if (dropped + held <= JSON_LINE_MAX_BYTES) continue
      // What can't become a line any more is counted, not kept.
      dropped += held
      held = 0
    }
    const bytes = dropped + held
    if (bytes > JSON_LINE_MAX_BYTES) yield { value: undefined, offset, bytes }
    else if (!isBlank(buffer, 0, held)) yield { value: parse(buffer, 0, held), offset, bytes }
  } finally {
    await handle.close()
  }
}

/** How many lines of a file hold anything, without looking at what. */
export async function countLines(file: string): Promise<number> {
  let lines = 0
  let filled = false
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
    const bytes = chunk as Buffer
    let from = 0
    for (let feed = bytes.indexOf(0x0a); feed >= 0; feed = bytes.indexOf(0x0a, from)) {
      if (filled || feed > from) lines++
      filled = false
      from = feed + 1
    }
    if (from < bytes.length) filled = true
  }
  return filled ? lines + 1 : lines
}
