import { createReadStream } from 'node:fs'

/** Longer lines are skipped: no entry of ours comes near it, and memory stays bounded. */
export const JSON_LINE_MAX_BYTES = 64 * 1024 * 1024

/** One line of a file. */
export interface JsonLine {
  /** The parsed value, or `undefined` when the line is no JSON: torn, NUL-filled, foreign, or over the bound. */
  readonly value: unknown
  /** Where the line starts in the file. */
  readonly offset: number
  /** Without its line feed. */
  readonly bytes: number
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
}

/**
 * The lines of a JSONL file in order, split on LF alone; blank lines are passed over. A last line without a line feed
 * comes like any other. Never writes.
 * @param start the byte to begin at; a line must start there
 * @throws what the file system throws
 */
export async function* readJsonLines(file: string, start = 0): AsyncGenerator<JsonLine> {
  let pending: Buffer[] = []
  let pendingBytes = 0
  let offset = start

  function take(last: Buffer): JsonLine | undefined {
    const bytes = pendingBytes + last.length
    const at = offset
    const whole = bytes > JSON_LINE_MAX_BYTES ? undefined : Buffer.concat([...pending, last], bytes)
    pending = []
    pendingBytes = 0
    offset += bytes + 1
    if (whole && isBlank(whole)) return undefined
    return { value: whole && parse(whole), offset: at, bytes }
  }

  for await (const chunk of createReadStream(file, { start, highWaterMark: 256 * 1024 })) {
    let rest = chunk as Buffer
    for (let feed = rest.indexOf(0x0a); feed >= 0; feed = rest.indexOf(0x0a)) {
      const line = take(rest.subarray(0, feed))
      rest = rest.subarray(feed + 1)
      if (line) yield line
    }
    if (rest.length === 0) continue
    pendingBytes += rest.length
    // What can't become a line any more is counted, not kept.
    if (pendingBytes > JSON_LINE_MAX_BYTES) pending = []
    else pending.push(rest)
  }
  if (pendingBytes > 0) {
    const line = take(Buffer.alloc(0))
    if (line) yield line
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
