import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import type { ModelApi, ModelServer } from './model-server.js'
import { inRoot } from './root.js'

/** The built program's entry. */
export const ensoBin = inRoot('bin', 'enso.js')

/** A private world for one test: home, ENSO_HOME, agent folder, workspace and temporary folder, gone afterwards. */
export interface Place {
  readonly root: string
  readonly home: string
  readonly ensoHome: string
  readonly agentDir: string
  /** The workspace enso starts in. */
  readonly cwd: string
  readonly tmp: string
  /** Nothing of the caller's own environment but PATH: no provider keys, no proxies. */
  readonly env: Readonly<Record<string, string>>
  /** Writes a file, its folders included, and returns its absolute path. */
  write(path: string, content: string | Uint8Array): Promise<string>
}

/** Makes a place; with a server its models.json names the server as provider `local`. */
export async function createPlace(
  t: TestContext,
  options: { readonly server?: ModelServer; readonly api?: ModelApi } = {},
): Promise<Place> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'enso-test-')))
  t.after(() => rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }))
  const [home, cwd, tmp] = [join(root, 'home'), join(root, 'work'), join(root, 'tmp')]
  const ensoHome = join(home, '.enso')
  for (const dir of [cwd, tmp]) await mkdir(dir, { recursive: true })
  for (const dir of [ensoHome, join(ensoHome, 'agent')]) await mkdir(dir, { recursive: true, mode: 0o700 })
  const place: Place = {
    root,
    home,
    ensoHome,
    agentDir: join(ensoHome, 'agent'),
    cwd,
    tmp,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      ENSO_HOME: ensoHome,
      TMPDIR: tmp,
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      PI_OFFLINE: '1',
    },
    write: async (path, content) => {
      const file = join(root, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, content)
      return file
    },
  }
  if (options.server) {
    await place.write('home/.enso/agent/models.json', JSON.stringify(options.server.modelsJson(options.api)))
  }
  return place
}

export interface StartOptions {
  /** `null` (default) is /dev/null; `open` a pipe that stays open; `closed` a closed descriptor; else text, then EOF. */
  readonly stdin?: 'null' | 'open' | 'closed' | { readonly text: string }
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  /** Milliseconds after which the process is killed and `ended` rejects. */
  readonly boundMs?: number
  /** Start with nobody reading standard output; `child.stdout.resume()` begins. */
  readonly paused?: boolean
}

/** How a process ended and what it had said. `exitCode` is the shell's: 128 + n for a signal. */
export interface EnsoEnd {
  readonly exitCode: number
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface EnsoProcess {
  readonly child: ChildProcess
  readonly pid: number
  /** What standard output and standard error have said so far. */
  stdout(): string
  stderr(): string
  /** Resolves with the first whole line, past or to come, that matches; rejects when the process ends without it. */
  waitForLine(match: RegExp | ((line: string) => boolean), stream?: 'stdout' | 'stderr'): Promise<string>
  /** Like `waitForLine` for JSON lines on standard output. */
  waitForJson<T = Record<string, unknown>>(match: (value: T) => boolean): Promise<T>
  /** Writes to standard input; a value that is no string becomes one JSON line. */
  send(value: unknown): void
  endInput(): void
  kill(signal?: NodeJS.Signals): void
  readonly ended: Promise<EnsoEnd>
}

const SIGNAL_NUMBER: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGPIPE: 13, SIGTERM: 15 }

/** Starts the built program in a session of its own (no controlling terminal) and collects what it says. */
export function startEnso(
  t: TestContext,
  place: Place,
  args: readonly string[],
  options: StartOptions = {},
): EnsoProcess {
  return startProcess(t, process.execPath, [ensoBin, ...args], {
    ...options,
    cwd: options.cwd ?? place.cwd,
    env: { ...place.env, ...options.env },
  })
}

/** Starts any program the same way. */
export function startProcess(
  t: TestContext,
  command: string,
  args: readonly string[],
  options: StartOptions & { readonly cwd: string },
): EnsoProcess {
  const stdin = options.stdin ?? 'null'
  // A closed descriptor 0 can't be asked of spawn: the shell closes it and becomes the program.
  const [file, words] =
    stdin === 'closed' ? ['/bin/sh', ['-c', 'exec "$0" "$@" <&-', command, ...args]] : [command, args]
  const child = spawn(file, words, {
    cwd: options.cwd,
    env: options.env,
    stdio: [stdin === 'null' || stdin === 'closed' ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    detached: true,
  })
  const streams = { stdout: collect(child, 'stdout'), stderr: collect(child, 'stderr') }
  if (options.paused) child.stdout!.pause()
  child.stdin?.on('error', () => {})
  if (typeof stdin === 'object') child.stdin!.end(stdin.text)
  const said = (): string => `stdout:\n${streams.stdout.text()}\nstderr:\n${streams.stderr.text()}`

  const ended = new Promise<EnsoEnd>((resolve, reject) => {
    const bound = setTimeout(() => {
      killGroup(child)
      reject(new Error(`still running after ${options.boundMs ?? 60_000} ms: ${args.join(' ')}\n${said()}`))
    }, options.boundMs ?? 60_000)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(bound)
      for (const stream of Object.values(streams)) stream.end(said)
      const exitCode = code ?? 128 + (SIGNAL_NUMBER[signal ?? ''] ?? 0)
      resolve({ exitCode, signal, stdout: streams.stdout.text(), stderr: streams.stderr.text() })
    })
  })
  ended.catch(() => {})
  t.after(async () => {
    killGroup(child)
    await ended.catch(() => {})
  })
  const waitForLine: EnsoProcess['waitForLine'] = (match, stream = 'stdout') =>
    streams[stream].wait(typeof match === 'function' ? match : (line) => match.test(line))
  return {
    child,
    pid: child.pid!,
    stdout: () => streams.stdout.text(),
    stderr: () => streams.stderr.text(),
    waitForLine,
    waitForJson: async <T>(match: (value: T) => boolean) =>
      JSON.parse(await waitForLine((line) => line.startsWith('{') && match(JSON.parse(line) as T))) as T,
    send: (value) => void child.stdin!.write(typeof value === 'string' ? value : `${JSON.stringify(value)}\n`),
    endInput: () => void child.stdin!.end(),
    kill: (signal = 'SIGTERM') => void child.kill(signal),
    ended,
  }
}

/** Runs the built program to its end. */
export function runEnso(
  t: TestContext,
  place: Place,
  args: readonly string[],
  options?: StartOptions,
): Promise<EnsoEnd> {
  return startEnso(t, place, args, options).ended
}

/** The JSON lines of an output; throws on a line that is none. */
export function jsonLines<T = Record<string, unknown>>(output: string): T[] {
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The group is gone already.
  }
}

interface Collected {
  text(): string
  wait(match: (line: string) => boolean): Promise<string>
  end(said: () => string): void
}

function collect(child: ChildProcess, name: 'stdout' | 'stderr'): Collected {
  const parts: string[] = []
  const lines: string[] = []
  const waiting = new Set<{
    match: (line: string) => boolean
    resolve(line: string): void
    reject(error: Error): void
  }>()
  let rest = ''
  let over: Error | undefined
  const stream = child[name]!
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    parts.push(text)
    const split = (rest + text).split('\n')
    rest = split.pop()!
    for (const line of split) {
      lines.push(line)
      for (const waiter of waiting) {
        if (!waiter.match(line)) continue
        waiting.delete(waiter)
        waiter.resolve(line)
      }
    }
  })
  return {
    text: () => parts.join(''),
    wait: (match) => {
      const there = lines.find((line) => match(line))
      if (there !== undefined) return Promise.resolve(there)
      if (over) return Promise.reject(over)
      return new Promise((resolve, reject) => waiting.add({ match, resolve, reject }))
    },
    end: (said) => {
      over = new Error(`the process ended without the expected line on ${name}\n${said()}`)
      for (const waiter of waiting) waiter.reject(over)
      waiting.clear()
    },
  }
}
