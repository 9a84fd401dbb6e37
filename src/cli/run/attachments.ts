import { open } from 'node:fs/promises'
import {
  ENSO_IMAGE_MAX_BYTES,
  ENSO_PROMPT_MAX_IMAGES,
  EnsoError,
  type EnsoImageMimeType,
  type EnsoPromptImage,
} from '../../core/index.js'
import { expandHome } from '../../system/home.js'
import type { RunOptions } from './run-options.js'

/** The most an attached text file may hold, in bytes: more belongs to a tool that reads a part of it. */
export const ATTACHED_TEXT_MAX_BYTES = 1024 * 1024

/** What the attachments of a command line come to. */
export interface Attachments {
  /** Fenced blocks to follow the prompt, one a text file, in order. */
  readonly blocks: readonly string[]
  readonly images: readonly EnsoPromptImage[]
}

/**
 * Reads the files named beside a prompt. An image is told by its first bytes, never by its name.
 * @throws EnsoError `bad-input` for a file that is missing, unreadable, too large, or neither text nor an image
 */
export async function readAttachments(
  attachments: RunOptions['attachments'],
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Attachments> {
  const blocks: string[] = []
  const images: EnsoPromptImage[] = []
  for (const { kind, path } of attachments) {
    const bytes = await readBounded(path, expandHome(path, env, cwd))
    const mimeType = imageTypeOf(bytes)
    if (mimeType) {
      if (bytes.length > ENSO_IMAGE_MAX_BYTES) throw tooLarge(path, ENSO_IMAGE_MAX_BYTES)
      images.push({ data: bytes.toString('base64'), mimeType })
    } else if (kind === 'image') {
      throw new EnsoError('bad-input', `${path} is not an image`, { hint: 'PNG, JPEG, GIF and WebP are images here' })
    } else {
      blocks.push(fenced(path, textOf(path, bytes)))
    }
  }
  if (images.length > ENSO_PROMPT_MAX_IMAGES) {
    throw new EnsoError('bad-input', `a prompt takes at most ${ENSO_PROMPT_MAX_IMAGES} images, not ${images.length}`)
  }
  return { blocks, images }
}

async function readBounded(path: string, file: string): Promise<Buffer> {
  try {
    const handle = await open(file, 'r')
    try {
      const info = await handle.stat()
      if (info.isDirectory()) throw new EnsoError('bad-input', `${path} is a folder, not a file`)
      // One byte more than allowed tells a file that is too large from one that is full, also where size says nothing.
      const limit = Math.max(ENSO_IMAGE_MAX_BYTES, ATTACHED_TEXT_MAX_BYTES) + 1
      const parts: Buffer[] = []
      let size = 0
      while (size < limit) {
        const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(Math.min(64 * 1024, limit - size)) })
        if (bytesRead === 0) break
        parts.push(buffer.subarray(0, bytesRead))
        size += bytesRead
      }
      return Buffer.concat(parts)
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (error instanceof EnsoError) throw error
    const code = (error as NodeJS.ErrnoException).code
    throw new EnsoError('bad-input', `${path} ${code === 'ENOENT' ? 'does not exist' : `can't be read (${code})`}`, {
      cause: error,
    })
  }
}

function textOf(path: string, bytes: Buffer): string {
  if (bytes.length > ATTACHED_TEXT_MAX_BYTES) throw tooLarge(path, ATTACHED_TEXT_MAX_BYTES)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // Falls through to the refusal below: bytes that are no UTF-8 are no text.
  }
  throw new EnsoError('bad-input', `${path} is neither text nor an image`)
}

function tooLarge(path: string, limit: number): EnsoError {
  return new EnsoError('bad-input', `${path} is too large: more than ${limit} bytes`)
}

/** The image type that the first bytes say, of those a prompt can carry. */
export function imageTypeOf(bytes: Uint8Array): EnsoImageMimeType | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 12)).toString('latin1')
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif'
  return head.startsWith('RIFF') && head.slice(8) === 'WEBP' ? 'image/webp' : undefined
}

/** A fence that no run of backticks in the text can close. */
function fenced(path: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${path}:\n${fence}\n${text.endsWith('\n') || text === '' ? text : `${text}\n`}${fence}`
}
