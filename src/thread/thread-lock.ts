import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { EnsoError } from '../core/index.js'
import { mkdirPrivate, writePrivateFile } from '../system/private-files.js'
import {
  createWhole,
  diskFault,
  isStale,
  type LockReading,
  type LockRecord,
  type ProcessIdentity,
  readLock,
  readLockText,
  thisProcess,
} from './lock-file.js'

/** A lock that this process took. */
export interface ThreadLock {
  readonly path: string
  /** Cheap enough for every append. @throws EnsoError `lock-lost` when the file is no longer this lock's */
  assertHeld(): void
  /** Gives the lock back; a lock that was lost meanwhile is left alone. Idempotent. */
  release(): void
}

/** Who holds a lock: what is known of them. `undefined` where the lock file can't be understood. */
export interface LockHolder {
  readonly record: LockRecord | undefined
}

/** Takes and reads lock files. */
export interface ThreadLocks {
  /**
   * Takes the lock at `path`, which one process of all has at a time. A lock whose process is gone is taken over.
   * @throws EnsoError `thread-locked` when it is held, `disk` when the file system refuses
   */
  acquire(path: string): ThreadLock
  /**
   * Who holds the lock, so that it can't be taken: `undefined` when nobody does, when whoever did is gone, and always
   * where locks are taken over.
   */
  holderOf(path: string): LockHolder | undefined
}

export interface ThreadLocksOptions {
  /** Replace a lock whoever holds it: the holder finds out at its next append and stops. */
  readonly takeOver?: boolean
  readonly now?: () => number
  readonly self?: ProcessIdentity
}

/** How often a taking is tried again while others take and give back the same lock. */
const ATTEMPTS = 50

/** Where a thread's lock is: beside its session file. */
export function lockPathOf(sessionDir: string, threadId: string): string {
  return join(sessionDir, `${threadId}.lock`)
}

/**
 * Locks as files, each created whole and exclusively. A file that is no lock of ours counts as held by somebody unknown:
 * only `takeOver` replaces it.
 *
 * To replace or remove a lock one must hold the lock *on that taking of it* (`<path>.<nonce>`), so that of several who
 * find the same stale lock exactly one replaces it, and none removes the lock that another has just put there. That
 * second lock is taken by the same rules, so one left behind by a kill is recovered as well.
 */
export function createThreadLocks(options: ThreadLocksOptions = {}): ThreadLocks {
  const { takeOver = false, now = Date.now } = options
  let identity = options.self
  const self = (): ProcessIdentity => (identity ??= thisProcess())

  function recordText(): string {
    const record: LockRecord = {
      ...self(),
      at: new Date(now()).toISOString(),
      nonce: randomBytes(6).toString('hex'),
    }
    return JSON.stringify(record)
  }

  /** The text of the lock that was taken, or what stands in the way. */
  function take(path: string, force: boolean): string | LockReading {
    const text = recordText()
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (createWhole(path, text)) return text
      const found = readLock(path)
      if (found.kind === 'free') continue
      if (!force && !(found.kind === 'held' && isStale(found.record, self()))) return found
      const claimPath = `${path}.${found.kind === 'held' ? found.record.nonce : 'unreadable'}`
      const claim = take(claimPath, force)
      if (typeof claim !== 'string') return claim
      try {
        if (readLockText(path) === found.text) {
          replace(path, text)
          return text
        }
      } finally {
        rmSync(claimPath, { force: true })
      }
    }
    return readLock(path)
  }

  function give(path: string, text: string): void {
    const claimPath = `${path}.${(JSON.parse(text) as LockRecord).nonce}`
    if (typeof take(claimPath, false) !== 'string') return
    try {
      if (readLockText(path) === text) rmSync(path, { force: true })
    } finally {
      rmSync(claimPath, { force: true })
    }
  }

  return {
    acquire: (path) => {
      makeFolder(path)
      const taken = take(path, takeOver)
      if (typeof taken !== 'string') throw lockedFault(path, taken, now())
      let released = false
      return {
        path,
        assertHeld: () => {
          if (released || readLockText(path) !== taken) throw lostFault(path)
        },
        release: () => {
          if (released) return
          released = true
          give(path, taken)
        },
      }
    },
    holderOf: (path) => {
      if (takeOver) return undefined
      const found = readLock(path)
      if (found.kind === 'free') return undefined
      if (found.kind === 'unreadable') return { record: undefined }
      return isStale(found.record, self()) ? undefined : { record: found.record }
    },
  }
}

function makeFolder(path: string): void {
  try {
    mkdirPrivate(dirname(path))
  } catch (error) {
    throw diskFault(path, error)
  }
}

/** Puts `text` where the lock is, in one step. */
function replace(path: string, text: string): void {
  try {
    writePrivateFile(path, text)
  } catch (error) {
    throw diskFault(path, error)
  }
}

const HINT = 'wait for it to end, or use --take-over if you know that it is gone'

function lockedFault(path: string, found: LockReading, now: number): EnsoError {
  const thread = basename(path, '.lock')
  if (found.kind !== 'held') {
    const message = `thread ${thread} is locked by a file that can't be read: ${path}`
    return new EnsoError('thread-locked', message, { hint: 'use --take-over to replace the file' })
  }
  const { pid, host, at } = found.record
  const message = `thread ${thread} is in use by process ${pid} on ${host}, for ${ageOf(Date.parse(at), now)}`
  return new EnsoError('thread-locked', message, { hint: HINT })
}

function lostFault(path: string): EnsoError {
  const found = readLock(path)
  const by = found.kind === 'held' ? ` by process ${found.record.pid} on ${found.record.host}` : ''
  return new EnsoError('lock-lost', `thread ${basename(path, '.lock')} was taken over${by}; nothing more is written`)
}

/** A duration in its largest whole unit. */
function ageOf(since: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - since) / 1000))
  if (!Number.isFinite(seconds)) return 'an unknown time'
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} days`
}
