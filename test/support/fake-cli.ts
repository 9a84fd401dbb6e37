import { once } from 'node:events'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { TestContext } from 'node:test'
import type { HostCredentials } from '../../src/core/index.js'
import type { CliIo, CliTerminal } from '../../src/cli/io.js'
import type { CliParts } from '../../src/cli/parts.js'
import type { ThreadsRequest } from '../../src/cli/threads-request.js'
import type { RunOptions } from '../../src/cli/run/run-options.js'
import { ensoHome } from '../../src/system/home.js'
import { createThreads, type Threads } from '../../src/thread/threads.js'
import { createFakeHost, type FakeHost, type FakeThreadOptions } from './fake-hosted-thread.js'
import { createFakeStore, type FakeStored } from './fake-threads.js'

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** A command line's world in memory. */
export interface FakeIo {
  readonly io: CliIo
  readonly stdin: PassThrough
  readonly stdout: PassThrough
  readonly stderr: PassThrough
  /** What was written so far. */
  said(stream: 'stdout' | 'stderr'): string
  /** The JSON lines on standard output so far. */
  lines(): Record<string, unknown>[]
  /** Resolves with the first line, past or to come, that matches. */
  waitForLine(match: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>
  signal(name: Signal): void
  listening(name: Signal): number
}

export interface FakeIoOptions {
  readonly cwd: string
  readonly argv?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly terminal?: CliTerminal
  readonly clock?: CliIo['clock']
  /** Nobody reads standard output until the test does. */
  readonly unread?: boolean
}

/** Streams, signals and a real clock, none of them the process's own. */
export function createFakeIo(options: FakeIoOptions): FakeIo {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
  const text = { stdout: '', stderr: '' }
  const arrived = new PassThrough()
  for (const name of ['stdout', 'stderr'] as const) {
    if (name === 'stdout' && options.unread) continue
    streams[name].setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk
      arrived.emit('more')
    })
  }
  const handlers = new Map<Signal, Set<() => void>>()
  const of = (name: Signal): Set<() => void> => {
    const set = handlers.get(name) ?? new Set()
    handlers.set(name, set)
    return set
  }
  const lines = (): Record<string, unknown>[] =>
    text.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  const io: CliIo = {
    argv: options.argv ?? [],
    env: options.env ?? {},
    cwd: options.cwd,
    ...streams,
    terminal: () => options.terminal,
    clock: options.clock ?? {
      now: Date.now,
      after: (ms, callback) => {
        const timer = setTimeout(callback, ms)
        // Bounds that a test never reaches must not hold it up.
        if (ms >= 1000) timer.unref()
        return () => clearTimeout(timer)
      },
    },
    signals: (name, handler) => {
      of(name).add(handler)
      return () => void of(name).delete(handler)
    },
  }
  return {
    io,
    ...streams,
    said: (stream) => text[stream],
    lines,
    async waitForLine(match) {
      for (;;) {
        const found = lines().find(match)
        if (found) return found
        await once(arrived, 'more')
      }
    },
    signal: (name) => {
      for (const handler of of(name)) handler()
    },
    listening: (name) => of(name).size,
  }
}

/** The rest of the program in place of the real one: threads over a fake host, a store of a list, logs nowhere. */
export interface FakeParts {
  readonly parts: CliParts
  readonly host: FakeHost
  /** What the threads were asked to be. */
  readonly requests: ThreadsRequest[]
  readonly threads: () => Threads
}

/** Nobody logs in to the fake. */
const NO_CREDENTIALS: HostCredentials = {
  loginOptions: () => [],
  logoutOptions: () => [],
  login: () => Promise.reject(new Error('a login was asked for')),
  logout: () => Promise.reject(new Error('a logout was asked for')),
}

export interface FakePartsOptions extends FakeThreadOptions {
  readonly home: string
  readonly failWith?: () => unknown
  readonly stored?: readonly FakeStored[]
  readonly runProcess?: CliParts['runProcess']
}

export function createFakeParts(options: FakePartsOptions): FakeParts {
  const host = createFakeHost(options)
  const requests: ThreadsRequest[] = []
  let threads: Threads | undefined
  const store = createFakeStore(options.stored ?? [])
  const parts: CliParts = {
    version: '0.0.0-test',
    agentLibrary: { name: 'agent-library', version: '4.5.6' },
    home: ensoHome({ ENSO_HOME: options.home, HOME: options.home }),
    userConfig: async () => ({}),
    workspaceConfig: async () => undefined,
    guardCheck: () => Promise.reject(new Error('the guards were asked')),
    probeSandbox: async () => ({ kind: 'off', reason: 'this is a test' }),
    openApi: () => Promise.reject(new Error('the OpenAPI document was asked for')),
    localServers: async () => [],
    store: async () => store,
    agentHost: async () => ({ ...host, credentials: NO_CREDENTIALS }),
    threads: async (request) => {
      requests.push(request)
      threads = createThreads({
        host: async () => host,
        store,
        openRequest: request.openRequest,
        locks: undefined,
        clock: request.clock,
      })
      return threads
    },
    serve: () => Promise.reject(new Error('a server was asked for')),
    startLog: async () => async () => undefined,
    ...(options.runProcess ? { runProcess: options.runProcess } : {}),
  }
  return { parts, host, requests, threads: () => threads! }
}

/** A folder of the test's own, canonical. */
export async function testFolder(t: TestContext): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'enso-unit-')))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Options of a run, all at rest. */
export function runOptions(given: Partial<RunOptions> & { readonly cwd: string }): RunOptions {
  return {
    output: 'json-lines',
    prompt: undefined,
    promptFromStdin: false,
    attachments: [],
    thread: { kind: 'new' },
    fork: false,
    ephemeral: false,
    takeOver: false,
    model: undefined,
    thinking: undefined,
    permissionMode: undefined,
    appendSystemPrompt: undefined,
    extensions: [],
    trustProject: false,
    script: undefined,
    autoCancelDialogs: false,
    dialogTimeoutMs: undefined,
    answersFile: undefined,
    stopOnEof: false,
    maxTurns: undefined,
    timeoutMs: undefined,
    idleTimeoutMs: undefined,
    quiet: false,
    color: 'never',
    logLevel: undefined,
    ...given,
  }
}
