import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { bwrapArguments, FILTER_FD } from './bwrap.js'
import type { Mount } from './mounts.js'
import { unixSocketFilter } from './seccomp.js'

/** Where bubblewrap is; a system's own, since a vendored one lacks the system's permission to make namespaces. */
export const BWRAP_PATHS = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap']

/** After the command has ended its output may stay open for this long (milliseconds). */
const OUTPUT_GRACE_MS = 100

export interface ConfinedRun {
  readonly command: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly mounts: readonly Mount[]
  readonly onData: (data: Buffer) => void
  readonly signal?: AbortSignal | undefined
  /** Seconds. */
  readonly timeout?: number | undefined
}

/** The bubblewrap that would be used, or why there is none. */
export function findBwrap(paths: readonly string[]): { path: string } | { reason: string } {
  if (process.platform !== 'linux') return { reason: 'bubblewrap exists on Linux only' }
  if (unixSocketFilter() === undefined) return { reason: `no system-call filter for ${process.arch}` }
  const path = paths.find((candidate) => existsSync(candidate))
  return path === undefined ? { reason: 'bubblewrap (bwrap) is not installed' } : { path }
}

/**
 * Runs one command under bubblewrap. `env` is all the environment there is, for bubblewrap too: its own would be
 * readable inside as that of process 1.
 *
 * @throws Error `aborted`, or `timeout:<seconds>`: the words the shell tool knows
 */
export function runConfined(bwrap: string, run: ConfinedRun): Promise<{ exitCode: number | null }> {
  return new Promise((resolve, reject) => {
    const child = spawn(bwrap, bwrapArguments(run.command, run.cwd, run.mounts), {
      cwd: '/',
      env: run.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    })
    const filter = child.stdio[FILTER_FD] as Writable
    // bubblewrap may be gone before it has read the filter; its exit says so.
    filter.on('error', () => {})
    filter.end(unixSocketFilter())
    child.stdout?.on('data', run.onData)
    child.stderr?.on('data', run.onData)

    let timedOut = false
    const timer =
      run.timeout !== undefined && run.timeout > 0
        ? setTimeout(() => {
            timedOut = true
            killGroup(child)
          }, run.timeout * 1000)
        : undefined
    const onAbort = (): void => killGroup(child)
    if (run.signal?.aborted) onAbort()
    else run.signal?.addEventListener('abort', onAbort, { once: true })

    const finish = (error: Error | undefined, exitCode: number | null): void => {
      clearTimeout(timer)
      run.signal?.removeEventListener('abort', onAbort)
      if (error !== undefined) reject(error)
      else if (run.signal?.aborted) reject(new Error('aborted'))
      else if (timedOut) reject(new Error(`timeout:${run.timeout}`))
      else resolve({ exitCode })
    }
    child.once('error', (error) => finish(error, null))
    child.once('exit', (code) => {
      const grace = setTimeout(() => closed(), OUTPUT_GRACE_MS)
      const closed = (): void => {
        clearTimeout(grace)
        child.removeListener('close', closed)
        finish(undefined, code)
      }
      child.once('close', closed)
    })
  })
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}
