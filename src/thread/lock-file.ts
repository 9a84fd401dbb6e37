import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { EnsoError } from '../core/index.js'
import { PRIVATE_FILE_MODE } from '../system/private-files.js'
import { bootId, isProcessAlive, processStartTime } from '../system/processes.js'

/** One process on one machine since one boot, told from any other that ever had its pid. */
export interface ProcessIdentity {
  readonly pid: number
  /** When it started, as the kernel counts it; absent where that can't be told. */
  readonly startTime?: string
  readonly host: string
  readonly bootId?: string
}

/** What a lock file holds. */
export interface LockRecord extends ProcessIdentity {
  /** ISO 8601: when the lock was taken. */
  readonly at: string
  /** Names this one taking of the lock: a file with another nonce is another lock. */
  readonly nonce: string
}

/** What stands at a lock's path. `text` is the file as it is. */
export type LockReading =
  | { readonly kind: 'free' }
  | { readonly kind: 'held'; readonly text: string; readonly record: LockRecord }
  | { readonly kind: 'unreadable'; readonly text: string }

/** This process. */
export function thisProcess(): ProcessIdentity {
  return identity(process.pid, processStartTime(process.pid), hostname(), bootId())
}

function identity(pid: number, startTime: string | undefined, host: string, boot: string | undefined): ProcessIdentity {
  return {
    pid,
    host,
    ...(startTime === undefined ? {} : { startTime }),
    ...(boot === undefined ? {} : { bootId: boot }),
  }
}

/** The text of a lock file; `undefined` where there is none. */
export function readLockText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw diskFault(path, error)
  }
}

/** Reads a lock file. A file that is no lock record of ours is `unreadable`, never free. */
export function readLock(path: string): LockReading {
  const text = readLockText(path)
  if (text === undefined) return { kind: 'free' }
  const record = parseRecord(text)
  return record === undefined ? { kind: 'unreadable', text } : { kind: 'held', text, record }
}

function parseRecord(text: string): LockRecord | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { pid, startTime, host, bootId: boot, at, nonce } = value as Record<string, unknown>
  if (typeof pid !== 'number' || typeof host !== 'string' || typeof at !== 'string') return undefined
  if (typeof nonce !== 'string' || !/^[0-9a-f]+$/.test(nonce)) return undefined
  const started = typeof startTime === 'string' ? startTime : undefined
  return { ...identity(pid, started, host, typeof boot === 'string' ? boot : undefined), at, nonce }
}

/**
 * Is whoever took this lock surely gone? Only this machine can say so, of its own processes: the machine has been
 * started anew since, or the process is no more. A lock of another host never is: on shared storage it may be in use.
 */
export function isStale(record: LockRecord, here: ProcessIdentity): boolean {
  if (record.host !== here.host) return false
  if (record.bootId !== undefined && here.bootId !== undefined && record.bootId !== here.bootId) return true
  return !isProcessAlive(record.pid, record.startTime)
}

/**
 * Creates a file with all its text in one step, 0600.
 * @returns false when there is one already
 */
export function createWhole(path: string, text: string): boolean {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode: PRIVATE_FILE_MODE })
    linkSync(temporary, path)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'ENOSYS') return createDirectly(path, text)
    throw diskFault(path, error)
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** For file systems without hard links: another process may see the file for a moment before its text is in it. */
function createDirectly(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: PRIVATE_FILE_MODE })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw diskFault(path, error)
  }
}

/** The environment's fault behind a failed file operation. */
export function diskFault(path: string, cause: unknown): EnsoError {
  return new EnsoError('disk', `can't use the lock file ${path}: ${(cause as Error).message}`, { cause })
}
