import { readdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { EnsoError, ensoLogger, isEnsoThreadId } from '../../core/index.js'
import type {
  EnsoTranscriptEntry,
  StoredSpending,
  StoredThreadReading,
  StoredThreadRecords,
  StoredThreadRef,
  StoredThreadSummary,
  ThreadStore,
} from '../../core/index.js'
import { decodeRecords } from './decode-records.js'
import { readSession } from './read-session.js'
import { readSessionHeader } from './session-file.js'
import { summarizeSession } from './session-summary.js'
import { eachReplySpending } from './stored-spending.js'
import { walkSession } from './walk-session.js'

const log = ensoLogger('host', 'store')

/** Files read at the same time for a list. */
const PARALLEL = 16

/** Names in a folder; a folder that is not there has none. Asking for them in turn takes longer than they do. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ENOTDIR')
      log.warn('a folder of threads can not be read: {folder}', { folder, code })
    return []
  }
}

async function eachOf<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += PARALLEL) {
    results.push(...(await Promise.all(items.slice(at, at + PARALLEL).map(work))))
  }
  return results
}

async function readStored({ file }: StoredThreadRef): Promise<StoredThreadReading> {
  const entries: EnsoTranscriptEntry[] = []
  const told = await walkSession(file, (entry) => void entries.push(entry))
  return { entries, ...told }
}

async function readRecords(ref: StoredThreadRef): Promise<StoredThreadRecords> {
  const { header, all, branch, skippedLines } = await readSession(ref.file)
  const { timestamp, version } = header
  return { ...decodeRecords(branch, all, null), startedAt: timestamp, version, skippedLines }
}

/** What the replies of a file have cost, none of one that is too old; `undefined` of a file that is no thread. */
async function replySpending(file: string, projectId: string, since: number): Promise<StoredSpending[] | undefined> {
  const spent: StoredSpending[] = []
  try {
    if (since > 0 && (await stat(file)).mtimeMs < since) return []
    return (await eachReplySpending(file, projectId, (one) => spent.push(one))) ? spent : undefined
  } catch (error) {
    log.warn('a thread’s file can not be read: {file}', { file, code: (error as NodeJS.ErrnoException).code })
    return undefined
  }
}

/** Every fault of reading a thread's file as the one that callers know. */
async function readable<T>(ref: StoredThreadRef, read: (ref: StoredThreadRef) => Promise<T>): Promise<T> {
  try {
    return await read(ref)
  } catch (cause) {
    if (cause instanceof EnsoError) throw cause
    throw new EnsoError('thread-unreadable', `the thread's file can't be read: ${ref.file}`, { cause })
  }
}

/**
 * The stored threads under a folder that holds one folder a project, each file `<time>_<threadId>.jsonl`. Reading
 * never writes, repairs or locks; the agent library is not loaded.
 */
export function createSessionStore(options: { readonly threadsDir: string }): ThreadStore {
  const { threadsDir } = options

  function files(projectId?: string): { projectId: string; file: string }[] {
    const projects = projectId === undefined ? namesIn(threadsDir) : [projectId]
    return projects.flatMap((project) =>
      namesIn(join(threadsDir, project))
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => ({ projectId: project, file: join(threadsDir, project, name) })),
    )
  }

  return {
    async list(projectId, unreadable) {
      const summaries = await eachOf(files(projectId), async ({ file, projectId: id }) => {
        const summary = await summarizeSession(file, id)
        if (summary === undefined) unreadable?.(file)
        return summary
      })
      return summaries
        .filter((summary): summary is StoredThreadSummary => summary !== undefined)
        .sort((a, b) => (a.lastActivityAt < b.lastActivityAt ? 1 : a.lastActivityAt > b.lastActivityAt ? -1 : 0))
    },
    async find(threadId) {
      if (!isEnsoThreadId(threadId)) return undefined
      const named = files().filter(({ file }) => file.endsWith(`_${threadId}.jsonl`))
      // The newest file of an id is the thread; an older one can only be a copy somebody made.
      const newest = named.sort((a, b) => (a.file < b.file ? 1 : -1))[0]
      if (!newest) return undefined
      const header = await readSessionHeader(newest.file)
      return { threadId, projectId: newest.projectId, file: newest.file, cwd: header.cwd }
    },
    async idsLike(prefix) {
      const ids = files().map(({ file }) => /_([^_]+)\.jsonl$/.exec(file)?.[1])
      return [
        ...new Set(ids.filter((id) => id !== undefined && isEnsoThreadId(id) && id.startsWith(prefix))),
      ] as string[]
    },
    async spending(since, show) {
      const unreadable: string[] = []
      // Oldest first, so that what a fork copied is counted where it was spent.
      const oldest = files().sort((a, b) => (basename(a.file) < basename(b.file) ? -1 : 1))
      for (let at = 0; at < oldest.length; at += PARALLEL) {
        const some = oldest.slice(at, at + PARALLEL)
        const read = await Promise.all(some.map(({ file, projectId }) => replySpending(file, projectId, since)))
        for (const [index, spent] of read.entries()) {
          if (spent === undefined) unreadable.push(some[index]!.file)
          else for (const one of spent) show(one)
        }
      }
      return unreadable
    },
    read: (ref) => readable(ref, readStored),
    records: (ref) => readable(ref, readRecords),
    walk: (ref, show) => readable(ref, ({ file }) => walkSession(file, show)),
  }
}
