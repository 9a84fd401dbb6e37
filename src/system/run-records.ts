import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { mkdirPrivate, PRIVATE_FILE_MODE } from './private-files.js'
import { bootId, isProcessAlive, processStartTime } from './processes.js'
import { reapRun, runProcesses } from './reap.js'

interface RunRecord {
  readonly runId: string
  readonly pid: number
  readonly startTime: string | undefined
  readonly boot: string | undefined
  readonly host: string
}

/** What a start found of runs that were killed before they could clean up. */
export interface StaleRuns {
  readonly ended: number
  /** Processes that could not be ended. */
  readonly left: readonly number[]
}

const fileOf = (dir: string, runId: string) => join(dir, `${runId}.json`)

/** Notes that a run has started processes, so that a later start can end them if this one is killed. */
export function writeRunRecord(dir: string, runId: string): void {
  const record = { runId, pid: process.pid, startTime: processStartTime(process.pid), boot: bootId(), host: hostname() }
  mkdirPrivate(dir)
  writeFileSync(fileOf(dir, runId), JSON.stringify(record), { mode: PRIVATE_FILE_MODE })
}

export function removeRunRecord(dir: string, runId: string): void {
  rmSync(fileOf(dir, runId), { force: true })
}

function readRecord(file: string): RunRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8')) as Partial<RunRecord>
    if (typeof record.runId !== 'string' || !/^[a-z0-9]{8,64}$/.test(record.runId)) return undefined
    return typeof record.pid === 'number' && typeof record.host === 'string' ? (record as RunRecord) : undefined
  } catch {
    return undefined
  }
}

/**
 * Ends what runs left behind that were killed without a chance to clean up. Records of other hosts, and of runs that
 * are still alive, are left alone.
 */
export async function reapStaleRuns(dir: string): Promise<StaleRuns> {
  let ended = 0
  const left: number[] = []
  for (const file of listRecords(dir)) {
    const record = readRecord(file)
    if (record?.host !== undefined && record.host !== hostname()) continue
    const sameBoot = record !== undefined && record.boot === bootId()
    if (record && sameBoot && isProcessAlive(record.pid, record.startTime)) continue
    let still: readonly number[] = []
    if (record && sameBoot) {
      const trace = { runId: record.runId, root: undefined, children: [] }
      const before = runProcesses(trace).length
      still = await reapRun(trace, 200)
      ended += before - still.length
      left.push(...still)
    }
    if (still.length === 0) rmSync(file, { force: true })
  }
  return { ended, left }
}

function listRecords(dir: string): string[] {
  try {
    return readdirSync(dir)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(dir, name))
  } catch {
    return []
  }
}
