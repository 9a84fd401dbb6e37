import { type EnsoLogTailFrame, type EnsoRefusal, ensoLogger, jsonLine, refusal } from '../../core/index.js'
import { createLogTail } from '../../log/tail.js'
import type { ThreadClock } from '../../thread/clock.js'
import type { OpenLimit } from '../guards/follow-limit.js'
import type { AskedLog } from '../routes/log-question.js'
import type { StreamDeps } from '../routes/deps.js'
import type { SseChannel } from './channel.js'
import { createEventStream } from './event-stream.js'
import { eventText } from './event-text.js'

const log = ensoLogger('server', 'log-tail')

/** What tails are served with. */
export interface TailServing extends StreamDeps {
  readonly logsDir: string
  readonly clock: ThreadClock
  readonly limit: OpenLimit
}

/** Serves today's log as events; the next step waits for a reader that is behind. */
export function tailLog(
  { question, day, limit: backlogLimit, from }: AskedLog,
  channel: SseChannel,
  { logsDir, clock, limit, heartbeats }: TailServing,
): Promise<EnsoRefusal | undefined> {
  const close = limit.open('tails')
  if (close === undefined) return Promise.resolve(refusal('too-many-requests', 'too many log tails are open'))
  const stream = createEventStream(channel)
  let isBehind = false
  let wake: () => void = () => undefined
  const tellReady = (): void => {
    isBehind = false
    wake()
  }
  const tail = createLogTail({
    logsDir,
    question,
    clock,
    emit: (frame: EnsoLogTailFrame) => {
      const event = eventText(`${frame.day}:${frame.offset}`, jsonLine(frame))
      if (!stream.write(Buffer.from(event))) isBehind = true
    },
    backlogLimit,
    ...(from === undefined ? {} : { from: { day, offset: from } }),
    rest: () => (isBehind ? new Promise((resolve) => void (wake = resolve)) : Promise.resolve()),
  })
  stream.onReady(tellReady)
  const leave = heartbeats.join(() => stream.beat())
  stream.onClosed(() => {
    leave()
    close()
    tail.close()
    tellReady()
  })
  tail.run().then(
    () => stream.end(),
    (error: unknown) => {
      log.error('a log tail ended: {error}', { error: String(error) })
      stream.end()
    },
  )
  return Promise.resolve(undefined)
}
