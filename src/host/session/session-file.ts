import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { EnsoError } from '../../core/index.js'
import { PRIVATE_FILE_MODE, mkdirPrivate } from '../../system/private-files.js'
import { loose } from '../observe/message-values.js'
import { readJsonLines } from './read-json-lines.js'

/** The version of the session format that is written. */
export const SESSION_VERSION = 3

/** The first line of a session file. */
export interface SessionHeader {
  readonly id: string
  readonly cwd: string
  readonly timestamp: string
  readonly version: number
}

/** The header a session's first line is, or `undefined` when it is none. */
export function sessionHeaderOf(value: unknown): SessionHeader | undefined {
  const { type, id, cwd, timestamp, version } = loose(value)
  if (type !== 'session' || typeof id !== 'string') return undefined
  return {
    id,
    cwd: typeof cwd === 'string' ? cwd : '',
    timestamp: typeof timestamp === 'string' ? timestamp : '',
    version: typeof version === 'number' ? version : 1,
  }
}

/** Where a thread's session file goes: `<time>_<threadId>.jsonl` in its project's folder. */
export function sessionFileName(dir: string, threadId: string, at: string): string {
  return join(dir, `${at.replace(/[:.]/g, '-')}_${threadId}.jsonl`)
}

const CHUNK = 64 * 1024

/** Where the last line starts, and its text when the file does not end with a line feed. */
function tailOf(fd: number, size: number): { start: number; text: string } | undefined {
  const buffer = Buffer.alloc(CHUNK)
  const parts: Buffer[] = []
  let end = size
  while (end > 0) {
    const length = Math.min(CHUNK, end)
    const read = readSync(fd, buffer, 0, length, end - length)
    const chunk = Buffer.from(buffer.subarray(0, read))
    const feed = chunk.lastIndexOf(0x0a)
    if (feed >= 0) {
      if (end === size && feed === read - 1) return undefined
      parts.unshift(chunk.subarray(feed + 1))
      return { start: end - length + feed + 1, text: Buffer.concat(parts).toString('utf8') }
    }
    parts.unshift(chunk)
    end -= length
  }
  return { start: 0, text: Buffer.concat(parts).toString('utf8') }
}

function isWholeEntry(text: string): boolean {
  try {
    return typeof loose(JSON.parse(text))['type'] === 'string'
  } catch {
    return false
  }
}

/** What was done to a file before it is written to. */
export type TailRepair = { readonly kind: 'closed' } | { readonly kind: 'cut'; readonly bytes: number }

/**
 * Makes a session file safe to append to: an entry whose line feed is missing gets it, a torn last line is cut off
 * (the next entry would be glued to it and take every later one with it). Only for a file about to be written;
 * looking at a thread never calls it.
 * @throws EnsoError `disk` when the file can't be opened for writing
 */
export function repairTail(file: string): TailRepair | undefined {
  let fd: number | undefined
  try {
    fd = openSync(file, 'r+')
    const { size } = fstatSync(fd)
    const tail = size === 0 ? undefined : tailOf(fd, size)
    if (!tail) return undefined
    if (isWholeEntry(tail.text)) {
      writeSync(fd, '\n', size)
      return { kind: 'closed' }
    }
    ftruncateSync(fd, tail.start)
    return { kind: 'cut', bytes: size - tail.start }
  } catch (cause) {
    throw new EnsoError('disk', `the thread's file can't be written: ${file}`, { cause })
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

/**
 * The header of a stored session, read without touching the file.
 * @throws EnsoError `thread-unreadable` when it is no session; it is left exactly as it is
 */
export async function readSessionHeader(file: string): Promise<SessionHeader> {
  for await (const { value } of readJsonLines(file)) {
    const header = sessionHeaderOf(value)
    if (header) return header
    break
  }
  throw new EnsoError('thread-unreadable', `the thread's file does not begin with a session header: ${file}`, {
    hint: 'The file was left as it is. Move it away, or begin a new thread.',
  })
}

/**
 * Copies a session into a new file under another id; lines that are no entries are left out.
 * @returns the new file
 * @throws EnsoError `thread-unreadable`, `disk`
 */
export async function forkSessionFile(source: string, dir: string, threadId: string, cwd: string): Promise<string> {
  const header = await readSessionHeader(source)
  const timestamp = new Date().toISOString()
  const file = sessionFileName(dir, threadId, timestamp)
  const first = { type: 'session', version: header.version, id: threadId, timestamp, cwd, parentSession: source }
  const lines = [JSON.stringify(first)]
  for await (const { value } of readJsonLines(source)) {
    const type = loose(value)['type']
    if (typeof type === 'string' && type !== 'session') lines.push(JSON.stringify(value))
  }
  try {
    mkdirPrivate(dir)
    const fd = openSync(file, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, PRIVATE_FILE_MODE)
    try {
      writeWhole(fd, `${lines.join('\n')}\n`)
    } finally {
      closeSync(fd)
    }
  } catch (cause) {
    throw new EnsoError('disk', `the fork could not be written: ${file}`, { cause })
  }
  return file
}

/** Writes all of a text at the end of an open file, also where one call takes only a part of it. */
export function writeWhole(fd: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8')
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done)
}
