import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { EnsoFollowFrame } from '../../src/core/index.js'
import { createRedactor } from '../../src/log/redact/redactor.js'
import { createKnownSecrets } from '../../src/log/redact/known-secrets.js'
import { addressesOf } from '../../src/server/addresses.js'
import { createServerApp, type ServerApp } from '../../src/server/app.js'
import { createQueueWatch, type QueueWatch } from '../../src/server/guards/queue-limit.js'
import { createProjects } from '../../src/server/projects/projects.js'
import { createProjectsFile } from '../../src/server/projects/state-file.js'
import type { RouteDeps } from '../../src/server/routes/deps.js'
import { createOwnToken, type TokenSource } from '../../src/server/token/token.js'
import { createFakeStore, createFakeThreads, type FakeThreads, type FakeThreadsOptions } from './fake-threads.js'

export const TEST_TOKEN = 'test-token-0123456789abcdefghijklmnopqrstuvwxyz'
export const TEST_HOST = '127.0.0.1:4321'

/** What a test says of a request; a program's own headers are there unless they are replaced. */
export interface Asked {
  readonly method?: 'GET' | 'POST' | 'HEAD' | 'OPTIONS' | 'PUT' | 'DELETE'
  /** A header that is `null` is left out. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Sent as JSON; a text is sent as it is. */
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** An app without a port over fake threads. */
export interface ServedApp extends FakeThreads {
  readonly app: ServerApp
  /** A folder of the test's own: logs, the list of projects, a root. */
  readonly dir: string
  readonly queues: QueueWatch
  readonly ask: (path: string, asked?: Asked) => Promise<Response>
}

export interface ServedAppOptions extends FakeThreadsOptions {
  readonly allowBypass?: boolean
  readonly token?: TokenSource
  readonly roots?: readonly string[]
  readonly limits?: RouteDeps['limits']
  readonly publicUrl?: URL
  readonly queueLimit?: number
}

export function servedApp(t: TestContext, options: ServedAppOptions = {}): ServedApp {
  const dir = mkdtempSync(join(tmpdir(), 'enso-served-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const store = options.store ?? createFakeStore([])
  const fake = createFakeThreads({ ...options, store })
  const queues = createQueueWatch(options.queueLimit)
  const addresses = addressesOf({ host: '127.0.0.1', port: 4321, publicUrl: options.publicUrl })
  const app = createServerApp({
    threads: fake.threads,
    store,
    locks: options.locks ?? { holderOf: () => undefined },
    projects: createProjects({
      launchDir: '/work',
      roots: options.roots ?? [],
      file: createProjectsFile(join(dir, 'projects.json')),
    }),
    queues,
    logsDir: join(dir, 'logs'),
    redactor: () => createRedactor(createKnownSecrets()),
    about: () => ({ enso: '0', pi: '0', bun: 'node', os: 'test' }),
    version: '0.0.0',
    clock: fake.clock,
    allowBypass: options.allowBypass ?? false,
    token: options.token ?? createOwnToken(TEST_TOKEN),
    addresses: () => addresses,
    limits: options.limits,
  })
  return { ...fake, app, dir, queues, ask: async (path, asked) => app.fetch(requestOf(path, asked)) }
}

/** A request as a program would send it. */
export function requestOf(path: string, { method = 'GET', headers = {}, body, signal }: Asked = {}): Request {
  const all: Record<string, string | null> = {
    host: TEST_HOST,
    authorization: `Bearer ${TEST_TOKEN}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  }
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null)
  return new Request(`http://${TEST_HOST}${path}`, {
    method,
    headers: given,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  })
}

/** One event as it came. */
export interface ServedEvent {
  readonly id: string
  readonly data: unknown
}

/** Reads events one after another. */
export interface EventReader {
  next(): Promise<ServedEvent>
  /** Frames until one fits, that one included. */
  until(fits: (frame: EnsoFollowFrame) => boolean): Promise<EnsoFollowFrame[]>
  /** Comments so far. */
  comments(): number
  /** Resolves when the stream has ended. */
  ended(): Promise<void>
  cancel(): Promise<void>
}

export function readEvents(response: Response): EventReader {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  let comments = 0
  const events: ServedEvent[] = []

  async function fill(): Promise<boolean> {
    const { done, value } = await reader.read()
    if (done) return false
    text += value
    const pieces = text.split('\n\n')
    text = pieces.pop()!
    for (const piece of pieces) {
      const fields = new Map(
        piece.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      )
      if (fields.has('data')) events.push({ id: fields.get('id') ?? '', data: JSON.parse(fields.get('data')!) })
      else comments++
    }
    return true
  }

  const next = async (): Promise<ServedEvent> => {
    for (;;) {
      const event = events.shift()
      if (event !== undefined) return event
      if (!(await fill())) throw new Error('the stream ended')
    }
  }
  return {
    next,
    until: async (fits) => {
      const frames: EnsoFollowFrame[] = []
      for (;;) {
        const frame = (await next()).data as EnsoFollowFrame
        frames.push(frame)
        if (fits(frame)) return frames
      }
    },
    comments: () => comments,
    ended: async () => {
      while (await fill());
    },
    cancel: () => reader.cancel(),
  }
}
