import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** A program that is measured from outside while it runs. */
export interface Watched {
  readonly child: ChildProcess
  /** The next line it says. */
  line(): Promise<string>
  /** CPU so far, user and system, in milliseconds. */
  cpuMs(): number
  residentMiB(): number
  end(): Promise<void>
}

const alive = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

/** Starts a program with pipes for its input and output; it doesn't outlive us. */
export function watch(
  argv: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Watched {
  const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'], ...options })
  alive.add(child)
  child.once('exit', () => alive.delete(child))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const stat = (name: string): string => readFileSync(`/proc/${child.pid}/${name}`, 'latin1')
  return {
    child,
    line: async () => {
      const { value, done } = await lines.next()
      if (done === true) throw new Error(`${argv.join(' ')} ended`)
      return value
    },
    cpuMs: () => {
      // Nanoseconds of each thread; the process's own account counts in hundredths of a second.
      const threads = readdirSync(`/proc/${child.pid}/task`).map((id) =>
        Number(stat(`task/${id}/schedstat`).split(' ')[0]),
      )
      return threads.reduce((sum, ns) => sum + ns, 0) / 1e6
    },
    residentMiB: () => Number(/VmRSS:\s+(\d+)/.exec(stat('status'))?.[1]) / 1024,
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
