import { EnsoError, type EnsoFollowFrame, type EnsoRefusal, refusal } from '../../core/index.js'
import type { FollowHandle, FollowSink } from '../../thread/follower.js'
import type { Threads } from '../../thread/threads.js'
import type { OpenLimit } from '../guards/follow-limit.js'
import { refusalOfFault } from '../refuse.js'
import type { SseChannel } from './channel.js'
import { createEventStream, eventText, type EventWriting } from './event-stream.js'
import type { Heartbeats } from './heartbeats.js'

/** What follows are served with. */
export interface FollowServing {
  readonly threads: Pick<Threads, 'follow'>
  readonly writing: EventWriting
  readonly heartbeats: Heartbeats
  /** Open follows of one thread. */
  readonly limit: OpenLimit
}

/** Event texts, made once for all followers of a thread: the frame's own line is what they share. */
const texts = new WeakMap<() => string, string>()

function textOf(id: number, line: () => string): string {
  let text = texts.get(line)
  if (text === undefined) {
    text = eventText(id, line())
    texts.set(line, text)
  }
  return text
}

/**
 * Serves a thread's feed as events until the reader leaves or the thread layer ends it. Each event's id is the number of
 * the last observation in it; a status has the one before it. A reader that falls too far behind is cut off and comes
 * back for a snapshot.
 * @returns a refusal, as long as nothing has been written
 */
export async function followThread(
  threadId: string,
  projectHint: string | undefined,
  channel: SseChannel,
  { threads, writing, heartbeats, limit }: FollowServing,
): Promise<EnsoRefusal | undefined> {
  const close = limit.open(threadId)
  if (close === undefined) return refusal('too-many-requests', `thread ${threadId} has too many followers`)
  const stream = createEventStream(channel, writing)
  let seq = 0
  let handle: FollowHandle | undefined

  const sink: FollowSink = {
    frame: (frame, line) => {
      seq = seqOf(frame) ?? seq
      return stream.send(textOf(seq, line))
    },
    end: (reason) => {
      if (reason === 'dropped') stream.drop()
      else stream.end()
    },
  }
  stream.onReady(() => handle?.resume())
  try {
    handle = await threads.follow(threadId, sink, {
      overflow: 'drop',
      ...(projectHint === undefined ? {} : { projectHint }),
    })
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

function seqOf(frame: EnsoFollowFrame): number | undefined {
  if (frame.type === 'observation') return frame.seq
  return frame.type === 'snapshot' ? frame.asOfSeq : undefined
}
