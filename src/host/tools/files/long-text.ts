import { open } from 'node:fs/promises'
import { DEFAULT_MAX_BYTES, formatSize, truncateHead, type TruncationResult } from '@mariozechner/pi-coding-agent'

const CHUNK_BYTES = 1024 * 1024
/** More than a result shows, so that what is kept is cut exactly as the whole would be. */
const KEPT_BYTES = DEFAULT_MAX_BYTES + 4096
const LINE_FEED = 0x0a

/** What of a text file is read. */
export interface LongTextInput {
  readonly file: string
  /** The file as the model named it. */
  readonly path: string
  /** The first line, from 1. */
  readonly offset?: number | undefined
  /** How many lines at most. */
  readonly limit?: number | undefined
}

/** Lines of a file with the notes that belong to them. */
export interface LongText {
  readonly text: string
  readonly details: { readonly truncation: TruncationResult } | undefined
}

/** What a text file holds of the lines that were asked for. */
interface Extract {
  /** The beginning of them. */
  readonly kept: string
  /** Lines and bytes of all of them, and the bytes of the first. */
  readonly lines: number
  readonly bytes: number
  readonly firstBytes: number
  /** Lines of the file. */
  readonly total: number
}

/**
 * Reads some lines of a text file of any size, with the memory of what is shown: the text, the notes and the details are
 * the agent library's own, which holds all of a file several times over.
 *
 * @throws Error for an offset behind the file's end, and a stop
 */
export async function readLongText(
  { file, path, offset, limit }: LongTextInput,
  signal: AbortSignal | undefined,
): Promise<LongText> {
  const start = offset === undefined ? 0 : Math.max(0, offset - 1)
  const found = await extract(file, start, limit === undefined ? Infinity : start + limit, signal)
  if (start >= found.total) throw new Error(`Offset ${offset} is beyond end of file (${found.total} lines total)`)
  const cut = truncateHead(found.kept)
  const truncation = { ...cut, totalLines: found.lines, totalBytes: found.bytes }
  const most = formatSize(DEFAULT_MAX_BYTES)
  if (cut.firstLineExceedsLimit) {
    const line = start + 1
    const text = `[Line ${line} is ${formatSize(found.firstBytes)}, exceeds ${most} limit. Use bash: sed -n '${line}p' ${path} | head -c ${DEFAULT_MAX_BYTES}]`
    return { text, details: { truncation } }
  }
  const next = start + (cut.truncated ? cut.outputLines : found.lines) + 1
  if (cut.truncated) {
    const why = cut.truncatedBy === 'lines' ? '' : ` (${most} limit)`
    const note = `[Showing lines ${start + 1}-${next - 1} of ${found.total}${why}. Use offset=${next} to continue.]`
    return { text: `${cut.content}\n\n${note}`, details: { truncation } }
  }
  const more = found.total - start - found.lines
  const note = more > 0 ? `\n\n[${more} more lines in file. Use offset=${next} to continue.]` : ''
  return { text: cut.content + note, details: undefined }
}

/** Goes through a file once. `end` is the first line behind those that are asked for. */
async function extract(file: string, start: number, end: number, signal: AbortSignal | undefined): Promise<Extract> {
  const parts: Buffer[] = []
  let keptBytes = 0
  let bytes = 0
  let firstBytes = 0
  let line = 0
  function take(chunk: Buffer, from: number, to: number): void {
    if (line < start || line >= end) return
    bytes += to - from
    if (line === start) firstBytes += to - from
    if (keptBytes >= KEPT_BYTES) return
    const part = Buffer.from(chunk.subarray(from, Math.min(to, from + KEPT_BYTES - keptBytes)))
    parts.push(part)
    keptBytes += part.length
  }
  const handle = await open(file)
  try {
    const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES)
    for (;;) {
      if (signal?.aborted) throw new Error('Operation aborted')
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, null)
      if (bytesRead === 0) break
      const chunk = buffer.subarray(0, bytesRead)
      let at = 0
      for (let feed = chunk.indexOf(LINE_FEED); feed !== -1; feed = chunk.indexOf(LINE_FEED, at)) {
        take(chunk, at, feed)
        line++
        at = feed + 1
        // The feed belongs to what follows it, where that is asked for too.
        if (line > start) take(chunk, feed, at)
      }
      take(chunk, at, bytesRead)
    }
  } finally {
    await handle.close()
  }
  const total = line + 1
  const lines = Math.max(0, Math.min(end, total) - start)
  return { kept: Buffer.concat(parts).toString('utf8'), lines, bytes, firstBytes, total }
}
