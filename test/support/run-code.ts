import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'

/** A module of `src` as the tests' own build has it: `sourceUrl('cli/run/take-stdout.js')`. */
export function sourceUrl(path: string): string {
  return new URL(`../../src/${path}`, import.meta.url).href
}

export interface CodeEnd {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The longest such a process may take, in milliseconds: one that hangs is a test that fails, not a suite that hangs. */
const BOUND_MS = 60_000

/** Starts code in a process of its own, for what changes or ends a process. */
export function startCode(code: string, options: SpawnOptions = {}): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: BOUND_MS,
    killSignal: 'SIGKILL',
    ...options,
  })
}

/** The same, to its end. */
export async function runCode(code: string, options: SpawnOptions = {}): Promise<CodeEnd> {
  const child = startCode(code, options)
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  const [exitCode] = (await once(child, 'close')) as [number | null]
  return { exitCode, stdout, stderr }
}
