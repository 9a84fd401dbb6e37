import {
  type EnsoContextRequestChoice,
  type EnsoThreadTimeline,
  foldContextRequest,
  foldThreadContext,
  foldThreadStats,
  LOG_TAIL_MAX_RECORDS,
  type ThreadLogAccount,
  type ThreadRecords,
  threadTimeline,
} from '../core/index.js'
import { done, type OperationCall, type OperationOutcome, refused } from './operation.js'

const NO_DURATIONS = { count: 0, totalMs: 0, minMs: 0, maxMs: 0, meanMs: 0 }

/** What is known of a thread nobody logged anything of. */
const NO_LOG: ThreadLogAccount = {
  latency: { firstDelta: NO_DURATIONS, prompts: NO_DURATIONS },
  callDurations: new Map(),
  days: [],
}

/** A thread in numbers, live or from its file: the same ones. */
export async function readStats({ threadId, threads }: OperationCall): Promise<OperationOutcome> {
  const found = await recordsOf(threads)
  if (found === undefined) return unknownThread(threadId)
  const log = (await threads.log?.account(threadId, startOf(found.records))) ?? NO_LOG
  return done(200, foldThreadStats({ threadId, ...found, log }))
}

/** What a thread's requests carried, and what the next one would. */
export async function readContext({ threadId, threads }: OperationCall): Promise<OperationOutcome> {
  const found = await recordsOf(threads)
  return found === undefined ? unknownThread(threadId) : done(200, foldThreadContext({ threadId, ...found }))
}

/** One request's context, element by element. */
export async function readContextRequest({
  threadId,
  threads,
  body,
}: OperationCall<EnsoContextRequestChoice>): Promise<OperationOutcome> {
  const found = await recordsOf(threads)
  if (found === undefined) return unknownThread(threadId)
  const request = body.request === 'next' ? 'next' : Number(body.request)
  const detail = foldContextRequest({ threadId, ...found }, request)
  return detail === undefined ? refused('not-found', `thread ${threadId} has no request ${request}`) : done(200, detail)
}

/** A thread's events and log records in one list. Of a thread that isn't live the log is what remains. */
export async function readTimeline({ threadId, threads }: OperationCall): Promise<OperationOutcome> {
  const live = threads.ifLive()
  const events =
    live === undefined
      ? undefined
      : { threadId, emitted: [...live.hosted.events()], sent: [...live.entry.tail.events()] }
  const { lines, matched } = (await threads.log?.lines(threadId, 0, LOG_TAIL_MAX_RECORDS)) ?? { lines: [], matched: 0 }
  if (events === undefined && matched === 0 && (await threads.storedRecords()) === undefined) {
    return unknownThread(threadId)
  }
  const timeline: EnsoThreadTimeline = {
    threadId,
    entries: [...threadTimeline(events, lines)],
    logRecords: matched,
  }
  return done(200, timeline)
}

async function recordsOf(
  threads: OperationCall['threads'],
): Promise<{ live: boolean; records: ThreadRecords } | undefined> {
  const live = threads.ifLive()
  if (live !== undefined) return { live: true, records: live.hosted.records() }
  const records = await threads.storedRecords()
  return records === undefined ? undefined : { live: false, records }
}

/** When the thread's first entry was stamped, epoch milliseconds; 0 where none is. */
function startOf({ branch }: ThreadRecords): number {
  const stamp = branch.find(({ at }) => at !== undefined)?.at
  return Date.parse(stamp ?? '') || 0
}

function unknownThread(threadId: string): OperationOutcome {
  return refused('not-found', `there is no thread ${threadId}`)
}
