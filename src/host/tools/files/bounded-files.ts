import { stat, open } from 'node:fs/promises'
import { formatSize } from '@mariozechner/pi-coding-agent'
import type { LongText } from './long-text.js'

// What the agent library's own file tools ask before they read a file whole; the bundle puts these into them.

/** Text files up to this size are read whole. */
const WHOLE_MAX_BYTES = 4 * 1024 * 1024
/** An edit takes sixteen times the file's size in memory. */
const EDIT_MAX_BYTES = 16 * 1024 * 1024
/** An image is several times its size in memory before it is small enough for a model. */
const IMAGE_MAX_BYTES = 64 * 1024 * 1024
/** How images begin that a model is shown: PNG, JPEG, GIF, WebP. */
const IMAGE = /^(?:\x89PNG|\xff\xd8\xff|GIF8|RIFF[^]{4}WEBP)/
const IMAGE_HEAD_BYTES = 12

/** What was asked of a file, by the name the model gave it. */
export interface ReadInput {
  readonly path: string
  readonly offset?: number | undefined
  readonly limit?: number | undefined
}

/**
 * The lines that are asked for of a text that is too long to be read whole; `undefined` for any other file.
 *
 * @throws Error for what has no end (a device, a pipe), and for an image that is too large
 */
export async function readIfLong(
  file: string,
  input: ReadInput,
  signal: AbortSignal | undefined,
): Promise<{ content: { type: 'text'; text: string }[]; details: LongText['details'] } | undefined> {
  const found = await stat(file)
  if (!found.isFile() && !found.isDirectory()) throw new Error(`${input.path} is not a regular file`)
  if (!found.isFile() || found.size <= WHOLE_MAX_BYTES) return undefined
  if (await isImage(file)) {
    if (found.size <= IMAGE_MAX_BYTES) return undefined
    throw new Error(
      `${input.path} is an image of ${formatSize(found.size)}; up to ${formatSize(IMAGE_MAX_BYTES)} are shown`,
    )
  }
  const { readLongText } = await import('./long-text.js')
  const { text, details } = await readLongText({ ...input, file }, signal)
  return { content: [{ type: 'text', text }], details }
}

/** @throws Error for a file that is too large to be edited */
export async function refuseLongEdit(file: string, path: string): Promise<void> {
  const { size } = await stat(file)
  if (size <= EDIT_MAX_BYTES) return
  throw new Error(
    `${path} is ${formatSize(size)}; this tool edits up to ${formatSize(EDIT_MAX_BYTES)}. Use bash: sed or a script`,
  )
}

async function isImage(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(IMAGE_HEAD_BYTES), 0, IMAGE_HEAD_BYTES, 0)
    return IMAGE.test(buffer.toString('latin1', 0, bytesRead))
  } finally {
    await handle.close()
  }
}
