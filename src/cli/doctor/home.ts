import { plural } from '../../core/plural.js'
import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { EnsoHome } from '../../system/home.js'
import { isStale, readLock, thisProcess } from '../../thread/lock-file.js'
import { count } from '../print/layout.js'
import { type EnsoDoctorCheck, fault, ok, warning } from './check.js'

/** The folders and files of the person: whose they are, who else may look, whether they can be written. */
export function homeChecks(home: EnsoHome): EnsoDoctorCheck[] {
  return [homeCheck(home), logsCheck(home), locksCheck(home)]
}

function modeOf(path: string): number | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? undefined : stat.mode & 0o777
}

function homeCheck({ root, agentDir, threadsDir, logsDir, configFile }: EnsoHome): EnsoDoctorCheck {
  if (modeOf(root) === undefined) return ok('home', `${root} is made by the first run`)
  if (!isWritable(root)) return fault('home', `${root} can't be written`, `make it yours: chown, chmod 700 ${root}`)
  const folders = [root, agentDir, threadsDir, logsDir]
  const files = [configFile, join(agentDir, 'auth.json'), join(agentDir, 'models.json')]
  const open = [...folders, ...files].filter((path) => ((modeOf(path) ?? 0) & 0o077) !== 0)
  if (open.length === 0) return ok('home', `${root}, yours alone`)
  return warning('home', `others may look into ${open.join(', ')}`, `chmod go= ${open.join(' ')}`)
}

function logsCheck({ logsDir }: EnsoHome): EnsoDoctorCheck {
  if (modeOf(logsDir) === undefined) return ok('logs', `${logsDir} is made by the first run`)
  if (!isWritable(logsDir)) return fault('logs', `${logsDir} can't be written`, `chmod 700 ${logsDir}`)
  const files = readdirSync(logsDir).filter((name) => name.endsWith('.jsonl'))
  const bytes = files.reduce(
    (sum, name) => sum + (statSync(join(logsDir, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
  return ok('logs', `${logsDir}, ${plural(files.length, 'day')}, ${count(bytes)} bytes`)
}

/** Locks of threads: in use, left by a process that is gone, or another machine's. */
function locksCheck({ threadsDir }: EnsoHome): EnsoDoctorCheck {
  const here = thisProcess()
  const held: string[] = []
  const stale: string[] = []
  const odd: string[] = []
  for (const path of lockFiles(threadsDir)) {
    const reading = readLock(path)
    if (reading.kind === 'unreadable') odd.push(path)
    else if (reading.kind === 'held') {
      if (isStale(reading.record, here)) stale.push(path)
      else if (reading.record.host === here.host) held.push(path)
      else odd.push(path)
    }
  }
  const inUse = held.length === 0 ? '' : `${held.length} in use`
  if (odd.length > 0) {
    const what = `${odd.length} of another machine, or unreadable: ${odd.join(', ')}`
    return warning('locks', what, 'where nobody uses the thread: enso -r ID --take-over …')
  }
  if (stale.length > 0) {
    const what = `${stale.length} left by processes that are gone`
    return warning(
      'locks',
      [what, inUse].filter(Boolean).join(', '),
      `nothing: the next run takes them; or rm ${stale.join(' ')}`,
    )
  }
  return ok('locks', inUse || 'none')
}

function lockFiles(threadsDir: string): string[] {
  try {
    return readdirSync(threadsDir, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.lock'))
      .map((name) => join(threadsDir, name))
      .sort()
  } catch {
    return []
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
