import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** The environment variable that every process started by a run carries, however far it has forked away. */
export const RUN_MARK = 'ENSO_RUN_ID'

/** A run inside a run keeps the outer ids: whoever ends the outer run finds the inner one's processes too. */
export function runMark(outer: string | undefined, runId: string): string {
  return outer ? `${outer}/${runId}` : runId
}

interface ProcessRow {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
}

/** What tells the processes of a run from all others. */
export interface RunTrace {
  readonly runId: string
  /** The process that ran them; itself never counted. `undefined` once it is gone. */
  readonly root: number | undefined
  /** Ids of children it started, so that a group or session of theirs is known even without the mark. */
  readonly children: Iterable<number>
}

/** Fields of /proc/PID/stat; `undefined` for a process that is gone, or dead and only not yet waited for. */
function readRow(pid: number): ProcessRow | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const [state, parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z' || state === 'X') return undefined
    return { pid, parent: Number(parent), group: Number(group), session: Number(session) }
  } catch {
    return undefined
  }
}

function carriesMark(pid: number, runId: string): boolean {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1')
    const at = `\0${environment}`.indexOf(`\0${RUN_MARK}=`)
    if (at < 0) return false
    const value = environment.slice(at + RUN_MARK.length + 1).split('\0', 1)[0] ?? ''
    return value.split('/').includes(runId)
  } catch {
    return false
  }
}

function allPids(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

/**
 * Has this process, or a thread of it, ever started another one? Asked of the system, which counts what children that
 * have ended had used, and names those that have not. True where it can't say.
 */
export function mayHaveHadChildren(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1')
    const faultsOfEnded = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[8]
    if (faultsOfEnded !== '0') return true
    return readdirSync('/proc/self/task').some(
      (thread) => readFileSync(`/proc/self/task/${thread}/children`, 'latin1') !== '',
    )
  } catch {
    return true
  }
}

/**
 * The processes of a run that are alive: descendants of its process, members of its children's groups and sessions,
 * and whoever carries its mark. Where there is no /proc, only the children themselves can be named.
 */
export function runProcesses(trace: RunTrace): number[] {
  const children = new Set(trace.children)
  const pids = allPids()
  if (pids.length === 0) return [...children].filter((pid) => canSignal(pid))
  const rows = new Map<number, ProcessRow>()
  for (const pid of pids) {
    const row = readRow(pid)
    if (row) rows.set(pid, row)
  }
  const found = new Set<number>()
  for (const row of rows.values()) {
    if (row.pid === trace.root || row.pid === process.pid) continue
    const near = children.has(row.group) || children.has(row.session) || descends(row, rows, trace.root)
    if (near || carriesMark(row.pid, trace.runId)) found.add(row.pid)
  }
  return [...found]
}

function descends(row: ProcessRow, rows: ReadonlyMap<number, ProcessRow>, root: number | undefined): boolean {
  if (root === undefined) return false
  const seen = new Set<number>()
  for (let at: ProcessRow | undefined = row; at && !seen.has(at.pid); at = rows.get(at.parent)) {
    if (at.parent === root) return true
    seen.add(at.pid)
  }
  return false
}

function canSignal(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function signalAll(pids: readonly number[], signal: 'SIGTERM' | 'SIGKILL'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // Gone since it was listed, or another user's: the next listing tells.
    }
  }
}

/**
 * Ends every process of a run: asked first, killed after `graceMs`. Bounded: at most about a second beyond the grace.
 * @returns the processes that are still there (another user's, or stuck in the kernel)
 */
export async function reapRun(trace: RunTrace, graceMs: number): Promise<readonly number[]> {
  let alive = runProcesses(trace)
  if (alive.length === 0) return alive
  signalAll(alive, 'SIGTERM')
  for (let waited = 0; waited < graceMs && alive.length > 0; waited += 20) {
    await wait(20)
    alive = runProcesses(trace)
  }
  for (let round = 0; round < 50 && alive.length > 0; round++) {
    signalAll(alive, 'SIGKILL')
    await wait(20)
    alive = runProcesses(trace)
  }
  return alive
}

/** The same without waiting, for the last moment of a process: kills until nothing new appears. */
export function reapRunNow(trace: RunTrace): void {
  const killed = new Set<number>()
  for (let round = 0; round < 20; round++) {
    const alive = runProcesses(trace).filter((pid) => !killed.has(pid))
    if (alive.length === 0) return
    signalAll(alive, 'SIGKILL')
    for (const pid of alive) killed.add(pid)
  }
}
