import { EnsoError, ensoLogger, type EnsoFollowFrame, type EnsoFollowSnapshot } from '../../core/index.js'
import { createFollower, type Follower, type FollowHandle, type FollowSink } from '../../thread/follower.js'
import { type SharedFrame, shareFrame } from '../../thread/shared-frame.js'
import type { CliClock } from '../io.js'
import type { EnsoClient } from './client.js'

const log = ensoLogger('host', 'remote-follow')

/** The waits between attempts to follow again, in milliseconds; the last one is repeated. */
const BACK_OFF_MS = [100, 250, 500, 1000, 2000, 4000]
/** How long a server that is gone is tried for, in milliseconds. */
const GIVE_UP_MS = 60_000
/** Frames kept for a reader that joins a little later than the first one. */
const KEPT_FRAMES = 1000

export interface RemoteFollowOptions {
  readonly client: Pick<EnsoClient, 'follow'>
  readonly threadId: string
  readonly clock: CliClock
  /** Told of each frame before any reader is. */
  readonly onFrame: (frame: EnsoFollowFrame) => void
  /** Waited for before the end of a run is told: what only the server knows of it. Must not reject. */
  readonly beforeSettled: () => Promise<void>
  /** Something a person should know. */
  readonly note: (text: string) => void
  /** The follow can't go on: told once. */
  readonly onFault: (error: EnsoError) => void
}

/** One connection to a served thread for however many readers there are here. */
export interface RemoteFollow {
  /** The first snapshot. @throws EnsoError where the server can't be reached or refuses */
  readonly opened: Promise<EnsoFollowSnapshot>
  follow(sink: FollowSink): FollowHandle
  /** Ends the connection and then every reader, with what it was still owed. */
  close(): void
}

/**
 * Follows a thread and comes back when the connection is lost: with growing waits, and to a new snapshot, since there is
 * no other way to know what was missed. A snapshot that tells nothing new is passed over.
 */
export function createRemoteFollow(options: RemoteFollowOptions): RemoteFollow {
  const { client, threadId, clock, onFrame, beforeSettled, note, onFault } = options
  const closing = new AbortController()
  let followers: readonly Follower[] = []
  let kept: SharedFrame[] = []
  let last: Last | undefined

  function hand(frame: EnsoFollowFrame): void {
    onFrame(frame)
    const shared = shareFrame(frame)
    if (frame.type === 'snapshot') kept = [shared]
    else if (kept.length <= KEPT_FRAMES) kept.push(shared)
    for (const follower of followers) follower.send(shared)
  }

  /** Takes a frame. @returns the snapshot of a server that has lost the run which was going on, if it is one */
  function take(frame: EnsoFollowFrame, isFirst: boolean): void {
    const before = last
    last = lastOf(frame, before)
    if (!isFirst || before === undefined || frame.type !== 'snapshot') return hand(frame)
    if (frame.generation < before.generation && before.busy) {
      hand(frame)
      return onFault(new EnsoError('host-fault', 'the server was started anew, and the run that went on is lost'))
    }
    const isKnown = frame.asOfSeq === before.seq && frame.generation === before.generation && frame.busy === before.busy
    if (!isKnown || frame.live !== before.live) hand(frame)
  }

  /** One connection from its snapshot to its end. @throws EnsoError */
  async function connectOnce(onOpen: (snapshot: EnsoFollowSnapshot) => void): Promise<void> {
    let isFirst = true
    let waiting: Promise<void> | undefined
    const { ended } = await client.follow(
      threadId,
      (frame) => {
        const first = isFirst
        isFirst = false
        const next = (): void => {
          take(frame, first)
          if (frame.type === 'snapshot') onOpen(frame)
        }
        const isEnd = frame.type === 'observation' && frame.observation.kind === 'settled'
        if (waiting === undefined && !isEnd) return next()
        const before = waiting ?? Promise.resolve()
        const turn = before.then(isEnd ? beforeSettled : undefined).then(next)
        waiting = turn
        void turn.finally(() => {
          if (waiting === turn) waiting = undefined
        })
      },
      closing.signal,
    )
    await ended
    await waiting
  }

  async function stayConnected(onOpen: (snapshot: EnsoFollowSnapshot) => void): Promise<void> {
    let attempt = 0
    let lostAt: number | undefined
    const opened = (snapshot: EnsoFollowSnapshot): void => {
      if (lostAt !== undefined) note('connected again')
      attempt = 0
      lostAt = undefined
      onOpen(snapshot)
    }
    while (!closing.signal.aborted) {
      try {
        await connectOnce(opened)
      } catch (error) {
        const isLost = error instanceof EnsoError && error.code === 'host-fault'
        if (last === undefined || !isLost || clock.now() - (lostAt ?? clock.now()) > GIVE_UP_MS) throw error
      }
      if (closing.signal.aborted) return
      if (lostAt === undefined) {
        lostAt = clock.now()
        note('the connection to the server is lost; trying again')
      }
      log.info('following again', { threadId, attempt })
      await wait(clock, BACK_OFF_MS[Math.min(attempt++, BACK_OFF_MS.length - 1)] ?? 0, closing.signal)
    }
  }

  const opened = new Promise<EnsoFollowSnapshot>((resolve, reject) => {
    stayConnected(resolve).catch((error: unknown) => {
      if (closing.signal.aborted) return
      const fault = error instanceof EnsoError ? error : new EnsoError('host-fault', String(error), { cause: error })
      if (last === undefined) reject(fault)
      else onFault(fault)
    })
  })

  return {
    opened,
    follow: (sink) => {
      const follower = createFollower(sink, () => {
        followers = followers.filter((other) => other !== follower)
      })
      if (kept.length > KEPT_FRAMES) throw new EnsoError('host-fault', 'the follow went on without this reader')
      for (const shared of kept) follower.send(shared)
      followers = [...followers, follower]
      return { resume: () => follower.resume(), close: () => follower.close() }
    },
    close: () => {
      closing.abort()
      for (const follower of followers) follower.end('closed')
    },
  }
}

/** Where the thread stood when the last frame came. */
interface Last {
  readonly seq: number
  readonly generation: number
  readonly busy: boolean
  readonly live: boolean
}

function lastOf(frame: EnsoFollowFrame, before: Last | undefined): Last {
  switch (frame.type) {
    case 'snapshot':
      return { seq: frame.asOfSeq, generation: frame.generation, busy: frame.busy, live: frame.live }
    case 'status':
      return { seq: before?.seq ?? 0, generation: frame.generation, busy: frame.busy, live: frame.live }
    case 'observation':
      return { generation: 0, busy: false, live: false, ...before, seq: frame.seq }
  }
}

function wait(clock: CliClock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.after(ms, done)
    signal.addEventListener('abort', done)
  })
}
