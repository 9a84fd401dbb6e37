import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ModelServer } from '../../test/support/model-server.js'
import { inRoot } from '../../test/support/root.js'

export type Mode = 'text' | 'json'

/** A program that is driven through the same doors. */
export interface Subject {
  readonly name: string
  /** How a prompt is run in a mode. */
  command(mode: Mode, prompt: string): readonly string[]
  env(home: string): Record<string, string>
  /** What it says of a bound on turns, if it has one. */
  readonly turnLimit: readonly string[] | undefined
}

const enso: Subject = {
  name: 'enso',
  command: (mode, prompt) => [
    inRoot('bin', 'enso.js'),
    ...(mode === 'json' ? ['--json'] : []),
    '-m',
    'local/x',
    prompt,
  ],
  env: (home) => ({ ENSO_HOME: join(home, '.enso'), ENSO_AGENT_DIR: join(home, 'agent') }),
  turnLimit: ['--max-turns', '3'],
}

const pi: Subject = {
  name: 'pi',
  command: (mode, prompt) => [
    inRoot('node_modules/@mariozechner/pi-coding-agent/dist/cli.js'),
    ...(mode === 'json' ? ['--mode', 'json', '-p'] : ['-p']),
    '--model',
    'local/x',
    prompt,
  ],
  env: (home) => ({ PI_CODING_AGENT_DIR: join(home, 'agent') }),
  turnLimit: undefined,
}

export const SUBJECTS: readonly Subject[] = [enso, pi]

/** How a driven program ended. */
export interface Ended {
  /** The shell's: 128 + n for a signal; undefined when it had to be killed. */
  readonly exitCode: number | undefined
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  readonly ms: number
}

export interface DriveOptions {
  readonly mode: Mode
  readonly prompt?: string
  readonly extra?: readonly string[]
  readonly stdin?: 'ignore' | 'pipe'
  /** Nothing is read of its output for so long, in milliseconds. */
  readonly deafMs?: number
  /** Closes standard output after its first bytes. */
  readonly leaves?: boolean
  /** Called with the process once it runs. */
  readonly during?: (child: ChildProcess) => Promise<void>
  readonly boundMs?: number
}

/** A private world for one probe of one subject. */
export interface World {
  readonly cwd: string
  readonly root: string
  readonly server: ModelServer
  drive(options: DriveOptions): Promise<Ended>
  dispose(): void
}

const SIGNALS: Partial<Record<NodeJS.Signals, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGPIPE: 13, SIGTERM: 15 }

export function createWorld(subject: Subject, server: ModelServer): World {
  const root = mkdtempSync(join(tmpdir(), 'enso-conformance-'))
  const cwd = join(root, 'work')
  for (const dir of [cwd, join(root, 'agent'), join(root, '.enso'), join(root, 'tmp')])
    mkdirSync(dir, { recursive: true })
  writeFileSync(join(root, 'agent', 'models.json'), JSON.stringify(server.modelsJson()))
  writeFileSync(join(root, '.enso', 'config.json'), '{"permissions":{"allow":["bash"]}}')
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: root,
    TMPDIR: join(root, 'tmp'),
    LANG: 'C.UTF-8',
    PI_OFFLINE: '1',
    ...subject.env(root),
  }

  async function drive(options: DriveOptions): Promise<Ended> {
    const { mode, prompt = 'hello', extra = [], stdin = 'ignore', boundMs = 30_000 } = options
    const since = Date.now()
    const [script = '', ...args] = subject.command(mode, prompt)
    const child = spawn(process.execPath, [script, ...extra, ...args], {
      cwd,
      env,
      stdio: [stdin, 'pipe', 'pipe'],
      detached: true,
    })
    const said: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] }
    child.stdout!.pause()
    child.stderr!.on('data', (chunk: Buffer) => said.stderr.push(chunk))
    let killed = false
    const bound = setTimeout(() => {
      killed = true
      child.kill('SIGKILL')
    }, boundMs)
    const ended = new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
      child.once('close', (code, signal) => resolve([code, signal]))
    })
    setTimeout(() => {
      child.stdout!.on('data', (chunk: Buffer) => {
        said.stdout.push(chunk)
        if (options.leaves) child.stdout!.destroy()
      })
      child.stdout!.resume()
    }, options.deafMs ?? 0)
    await options.during?.(child)
    const [code, signal] = await ended
    clearTimeout(bound)
    return {
      exitCode: killed ? undefined : (code ?? 128 + (SIGNALS[signal ?? 'SIGKILL'] ?? 0)),
      signal,
      stdout: Buffer.concat(said.stdout).toString('utf8'),
      stderr: Buffer.concat(said.stderr).toString('utf8'),
      ms: Date.now() - since,
    }
  }

  return { cwd, root, server, drive, dispose: () => rmSync(root, { recursive: true, force: true }) }
}

/** Processes alive whose command line holds this text. */
export function processesNamed(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        const state = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1) ?? 'Z'
        const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')
        return !state.startsWith('Z') && command.includes(text)
      } catch {
        return false
      }
    })
    .map(Number)
}
