import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { StoredThreadSummary } from '../../core/index.js'
import { loose, textOf } from '../observe/message-values.js'
import { sessionHeaderOf } from './session-file.js'

/** A title is one line of at most this many characters. */
export const TITLE_MAX = 80
/** Read at a time: a list must not hold whole sessions in memory. */
const CHUNK = 256 * 1024
/** A first line or a title's line longer than this is not looked into. */
const LINE_MAX = 4 * 1024 * 1024

const MESSAGE_MARK = Buffer.from('{"type":"message"')
const NAME_MARK = Buffer.from('{"type":"session_info"')
const USER_MARK = Buffer.from('"message":{"role":"user"')

/** What one pass over a session file finds, without parsing more than the few lines a list shows. */
interface Scan {
  header: unknown
  firstPrompt: string | undefined
  name: string | undefined
  messages: number
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}

function take(scan: Scan, line: Buffer, first: boolean): void {
  if (first) {
    scan.header = parsed(line)
    return
  }
  if (line.subarray(0, MESSAGE_MARK.length).equals(MESSAGE_MARK)) {
    scan.messages++
    if (scan.firstPrompt === undefined && line.subarray(0, 400).includes(USER_MARK)) {
      scan.firstPrompt = textOf(loose(loose(parsed(line))['message'])['content'])
    }
  } else if (line.subarray(0, NAME_MARK.length).equals(NAME_MARK)) {
    const { name } = loose(parsed(line))
    if (typeof name === 'string') scan.name = name
  }
}

async function scanFile(file: string): Promise<{ scan: Scan; modifiedAt: Date }> {
  const handle = await open(file, 'r')
  const scan: Scan = { header: undefined, firstPrompt: undefined, name: undefined, messages: 0 }
  try {
    const chunk = Buffer.allocUnsafe(CHUNK)
    let rest: Buffer = Buffer.alloc(0)
    let first = true
    let skipping = false
    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, CHUNK)
      if (bytesRead === 0) break
      let data = Buffer.concat([rest, chunk.subarray(0, bytesRead)])
      for (let feed = data.indexOf(0x0a); feed >= 0; feed = data.indexOf(0x0a)) {
        if (!skipping) take(scan, data.subarray(0, feed), first)
        if (first && sessionHeaderOf(scan.header) === undefined) break
        first = false
        skipping = false
        data = data.subarray(feed + 1)
      }
      if (first && scan.header !== undefined && sessionHeaderOf(scan.header) === undefined) break
      if (data.length > LINE_MAX) {
        // Too long to look into; only its kind still counts.
        if (!skipping) take(scan, data.subarray(0, MESSAGE_MARK.length), first)
        skipping = true
        data = Buffer.alloc(0)
      }
      rest = Buffer.from(data)
    }
    return { scan, modifiedAt: (await handle.stat()).mtime }
  } finally {
    await handle.close()
  }
}

function titleOf({ name, firstPrompt }: Scan): string | undefined {
  const text = (name?.trim() || firstPrompt?.trim() || '').replace(/\s+/g, ' ')
  if (text === '') return undefined
  return text.length > TITLE_MAX ? `${text.slice(0, TITLE_MAX - 1).trimEnd()}…` : text
}

/**
 * One line of the list for one session file, or `undefined` when it is no session or can't be read: a list shows what
 * it can. Reads, never writes.
 */
export async function summarizeSession(file: string, projectId: string): Promise<StoredThreadSummary | undefined> {
  try {
    const { scan, modifiedAt } = await scanFile(file)
    const header = sessionHeaderOf(scan.header)
    if (!header || !basename(file).endsWith(`_${header.id}.jsonl`)) return undefined
    return {
      threadId: header.id,
      projectId,
      file,
      cwd: header.cwd,
      title: titleOf(scan),
      messageCount: scan.messages,
      lastActivityAt: modifiedAt.toISOString(),
    }
  } catch {
    return undefined
  }
}
