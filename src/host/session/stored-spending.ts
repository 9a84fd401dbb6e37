import { createReadStream } from 'node:fs'
import type { StoredSpending } from '../../core/index.js'
import { loose, usageOf } from '../observe/message-values.js'
import { sessionHeaderOf } from './session-file.js'

/** Every reply says who wrote it; inside a quoted text the quotes would be escaped. */
const REPLY_MARK = Buffer.from('"role":"assistant"')
const LINE_FEED = 0x0a
/** A longer line is no reply of any model, and a list of sums must not hold it. */
const LINE_MAX = 32 * 1024 * 1024

/**
 * Shows what each reply of a session file has cost, over every branch. Only the lines of replies are parsed.
 * @returns false when the file is no session
 * @throws what the file system throws
 */
export async function eachReplySpending(
  file: string,
  projectId: string,
  show: (spent: StoredSpending) => void,
): Promise<boolean> {
  let thread: { readonly threadId: string; readonly cwd: string } | undefined
  for await (const line of wholeLines(file)) {
    if (thread === undefined) {
      const header = sessionHeaderOf(parsed(line))
      if (header === undefined) return false
      thread = { threadId: header.id, cwd: header.cwd }
    } else if (line.includes(REPLY_MARK)) {
      const spent = spendingOf(parsed(line))
      if (spent !== undefined) show({ ...thread, projectId, ...spent })
    }
  }
  return thread !== undefined
}

function spendingOf(value: unknown): Pick<StoredSpending, 'id' | 'at' | 'model' | 'usage'> | undefined {
  const { type, id, timestamp, message } = loose(value)
  const { role, usage, provider, model } = loose(message)
  const spent = usageOf(usage)
  if (type !== 'message' || role !== 'assistant' || spent === undefined) return undefined
  return {
    id: typeof id === 'string' ? id : '',
    at: typeof timestamp === 'string' ? timestamp : '',
    model: [provider, model].filter((part) => typeof part === 'string' && part !== '').join('/') || 'unknown',
    usage: spent,
  }
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}

async function* wholeLines(file: string): AsyncGenerator<Buffer> {
  let pending: Buffer[] = []
  let bytes = 0
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
    let rest = chunk as Buffer
    for (let feed = rest.indexOf(LINE_FEED); feed !== -1; feed = rest.indexOf(LINE_FEED)) {
      const end = rest.subarray(0, feed)
      if (bytes + end.length <= LINE_MAX) yield pending.length === 0 ? end : Buffer.concat([...pending, end])
      pending = []
      bytes = 0
      rest = rest.subarray(feed + 1)
    }
    bytes += rest.length
    if (bytes > LINE_MAX) pending = []
    else if (rest.length > 0) pending.push(rest)
  }
  if (bytes > 0 && bytes <= LINE_MAX) yield Buffer.concat(pending)
}
