import { dirname } from 'node:path'
import {
  type AgentHost,
  EnsoError,
  ensoLogger,
  type HostedThread,
  type OpenThreadRequest,
  type SessionSource,
} from '../core/index.js'
import type { ThreadClock } from './clock.js'
import { lockPathOf, type ThreadLock, type ThreadLocks } from './thread-lock.js'

const log = ensoLogger('server', 'runtime')

/** How long a runtime may take to close before it is given up, in milliseconds. */
export const CLOSE_MAX_MS = 15_000

/** What a thread's runtime is built from. */
export interface RuntimeLifeDeps {
  readonly host: () => Promise<AgentHost>
  readonly openRequest: (threadId: string, projectHint?: string) => Promise<Omit<OpenThreadRequest, 'beforeAppend'>>
  readonly locks: ThreadLocks | undefined
  readonly clock: ThreadClock
  /** Milliseconds without work after which the runtime is closed; it stays until `close` when absent. */
  readonly idleMs?: number | undefined
}

export interface RuntimeLifeEvents {
  opened(hosted: HostedThread): void
  /** The runtime is closed, but still `current`: what it left open is ended. */
  closed(): void
  /** After `closed`, when there is no `current` any more. */
  gone(): void
  /** Nothing runs, waits on a person or is under way. */
  isResting(hosted: HostedThread): boolean
  /** Another process took the thread over. */
  lost(error: EnsoError): void
}

/** One thread's runtime: built when it is needed, once, and closed when it is not. */
export interface RuntimeLife {
  /** The live runtime, also while it is being closed. */
  current(): HostedThread | undefined
  isClosing(): boolean
  isBuilding(): boolean
  /** Resolves when no building is under way, however it ended. */
  built(): Promise<void>
  /**
   * The live runtime, or a new one. Calls at the same time share one building; a building that fails leaves nothing.
   * @throws EnsoError of the request, the lock or the host
   */
  ensure(projectHint?: string): Promise<HostedThread>
  /** Nothing happens now: counts the idle time from here. */
  rest(): void
  /** Resolves when no closing is under way. */
  closed(): Promise<void>
  /** Closes the runtime, if there is one, in bounded time. Never throws. */
  close(): Promise<void>
  /** Closes, and refuses every further building. */
  end(): Promise<void>
}

interface Live {
  readonly hosted: HostedThread
  readonly lock: ThreadLock | undefined
  readonly ephemeral: boolean
}

/** The life of one thread's runtime; nothing is built yet. */
export function createRuntimeLife(threadId: string, deps: RuntimeLifeDeps, events: RuntimeLifeEvents): RuntimeLife {
  const { clock, idleMs } = deps
  let live: Live | undefined
  let building: Promise<HostedThread> | undefined
  let closing: Promise<void> | undefined
  let ended = false
  let cancelIdle: (() => void) | undefined

  async function build(projectHint: string | undefined): Promise<HostedThread> {
    await closing
    if (live !== undefined) return live.hosted
    assertNotEnded()
    const request = await deps.openRequest(threadId, projectHint)
    const lock = takeLock(request.session)
    let hosted: HostedThread | undefined
    try {
      const host = await deps.host()
      const beforeAppend = lock === undefined ? undefined : (): void => assertLock(lock)
      hosted = await host.openThread(beforeAppend === undefined ? request : { ...request, beforeAppend })
      assertNotEnded()
    } catch (error) {
      await hosted?.close()
      lock?.release()
      throw error
    }
    live = { hosted, lock, ephemeral: request.session.kind === 'ephemeral' }
    log.info('thread built', { threadId, sessionFile: hosted.sessionFile })
    events.opened(hosted)
    rest()
    return hosted
  }

  function takeLock(session: SessionSource): ThreadLock | undefined {
    if (deps.locks === undefined || session.kind === 'ephemeral') return undefined
    const dir = session.kind === 'stored' ? dirname(session.file) : session.dir
    return deps.locks.acquire(lockPathOf(dir, threadId))
  }

  function assertLock(lock: ThreadLock): void {
    try {
      lock.assertHeld()
    } catch (error) {
      if (error instanceof EnsoError && live?.lock === lock && closing === undefined) events.lost(error)
      throw error
    }
  }

  function assertNotEnded(): void {
    if (ended) throw new EnsoError('host-fault', 'enso is shutting down')
  }

  function rest(): void {
    cancelIdle?.()
    cancelIdle = undefined
    if (idleMs === undefined || live === undefined || live.ephemeral) return
    cancelIdle = clock.after(idleMs, () => {
      if (live === undefined) return
      if (events.isResting(live.hosted)) void close()
      else rest()
    })
  }

  function close(): Promise<void> {
    if (closing !== undefined) return closing
    if (live === undefined) return Promise.resolve()
    cancelIdle?.()
    const { hosted, lock } = live
    closing = shut(hosted, lock).finally(() => {
      closing = undefined
    })
    return closing
  }

  async function shut(hosted: HostedThread, lock: ThreadLock | undefined): Promise<void> {
    try {
      await within(hosted.close(), CLOSE_MAX_MS, clock)
    } catch (error) {
      log.error('a thread did not close cleanly: {error}', { threadId, error: String(error) })
    }
    events.closed()
    live = undefined
    try {
      lock?.release()
    } catch (error) {
      log.error('a lock could not be given back: {error}', { threadId, error: String(error) })
    }
    log.info('thread closed', { threadId })
    events.gone()
  }

  return {
    current: () => live?.hosted,
    isClosing: () => closing !== undefined,
    isBuilding: () => building !== undefined,
    built: async () => {
      await building?.catch(() => undefined)
    },
    ensure: (projectHint) => {
      if (live !== undefined && closing === undefined) return Promise.resolve(live.hosted)
      building ??= build(projectHint).finally(() => {
        building = undefined
      })
      return building
    },
    rest,
    closed: () => closing ?? Promise.resolve(),
    close,
    end: async () => {
      ended = true
      await building?.catch(() => undefined)
      await close()
    },
  }
}

/** Settles as `work` does, or rejects when it takes longer than `ms`. */
function within(work: Promise<void>, ms: number, clock: ThreadClock): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => reject(new Error(`it took more than ${ms} ms`)))
    work.then(resolve, reject).finally(cancel)
  })
}
