import { EnsoError, type EnsoRefusal, refusal } from '../../core/index.js'
import type { BatchSink, FollowHandle } from '../../thread/follower.js'
import type { Threads } from '../../thread/threads.js'
import type { OpenLimit } from '../guards/follow-limit.js'
import { refusalOfFault } from '../refuse.js'
import type { SseChannel } from './channel.js'
import { createEventStream } from './event-stream.js'
import { eventBytes } from './event-text.js'
import type { Heartbeats } from './heartbeats.js'

/** What follows are served with. */
export interface FollowServing {
  readonly threads: Pick<Threads, 'followBatched'>
  readonly heartbeats: Heartbeats
  /** Open follows of one thread. */
  readonly limit: OpenLimit
}

/**
 * Serves a thread's feed as events until the reader leaves or the thread layer ends it. A reader that falls too far
 * behind is cut off and comes back for a snapshot.
 * @returns a refusal, as long as nothing has been written
 */
export async function followThread(
  threadId: string,
  projectHint: string | undefined,
  channel: SseChannel,
  { threads, heartbeats, limit }: FollowServing,
): Promise<EnsoRefusal | undefined> {
  const close = limit.open(threadId)
  if (close === undefined) return refusal('too-many-requests', `thread ${threadId} has too many followers`)
  const stream = createEventStream(channel)
  let handle: FollowHandle | undefined

  const sink: BatchSink = {
    batch: (batch) => stream.write(eventBytes(batch)),
    end: (reason) => {
      if (reason === 'dropped') stream.drop()
      else stream.end()
    },
  }
  stream.onReady(() => handle?.resume())
  try {
    handle = await threads.followBatched(threadId, sink, { projectHint })
  } catch (error) {
    close()
    if (error instanceof EnsoError) return refusalOfFault(error)
    throw error
  }
  const leave = heartbeats.join(() => stream.beat())
  const opened = handle
  stream.onClosed(() => {
    leave()
    close()
    opened.close()
  })
  return undefined
}
