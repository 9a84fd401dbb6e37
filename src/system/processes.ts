import { readFileSync } from 'node:fs'

/**
 * When a process started, as the kernel counts it, so that a recycled pid is told from the first one.
 * `undefined` where it can't be told (no such process, or no /proc).
 */
export function processStartTime(pid: number): string | undefined {
  return statFields(pid)?.[19]
}

/** /proc/PID/stat from the process's state on. */
function statFields(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command name may hold spaces and brackets; the fields are counted from the last closing one.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

/** The id of this boot of the machine, or `undefined` where the system has none. */
export function bootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return undefined
  }
}

/**
 * Is this very process still there? A process of another user counts as there; one that has ended and that its parent
 * never asked after (common in containers) does not.
 */
export function isProcessAlive(pid: number, startTime?: string): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const fields = statFields(pid)
  if (fields === undefined) return true
  if (fields[0] === 'Z' || fields[0] === 'X') return false
  return startTime === undefined || fields[19] === startTime
}
