import { request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import type { EnsoFollowFrame } from '../../src/core/index.js'
import { type EnsoProcess, type Place, type StartOptions, startEnso } from './run-enso.js'

/** A served enso of the built program. */
export interface Serving {
  readonly process: EnsoProcess
  /** What it printed, the token included. */
  readonly address: string
  readonly origin: string
  readonly port: number
  readonly token: string
  /** A request with the token; the body is sent as JSON. */
  ask(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly body: unknown }>
  /** A follow of a thread, read line by line. */
  follow(threadId: string): Promise<Followed>
}

/** A follow as a program reads it. */
export interface Followed {
  readonly frames: EnsoFollowFrame[]
  /** Resolves with the first frame, past or to come, that fits; rejects when the stream ends without it. */
  waitFor(fits: (frame: EnsoFollowFrame) => boolean): Promise<EnsoFollowFrame>
  readonly ended: Promise<void>
  close(): void
}

/** Starts `enso serve` and waits until it listens. */
export async function startServing(
  t: TestContext,
  place: Place,
  args: readonly string[] = [],
  options: StartOptions = {},
): Promise<Serving> {
  const process = startEnso(t, place, ['serve', ...args], options)
  const line = await process.waitForLine(/^listening /)
  const address = line.slice('listening '.length)
  const { origin, port, hash } = new URL(address)
  const token = hash.slice('#token='.length)
  return {
    process,
    address,
    origin,
    port: Number(port),
    token,
    ask: (method, path, body) => askServer(origin, token, method, path, body),
    follow: (threadId) => followThread(origin, token, threadId),
  }
}

async function askServer(origin: string, token: string, method: string, path: string, body: unknown) {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) }
}

async function followThread(origin: string, token: string, threadId: string): Promise<Followed> {
  const asking = request(`${origin}/api/threads/${threadId}/follow`, {
    headers: { authorization: `Bearer ${token}` },
  }).end()
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`the follow was answered with ${response.statusCode}`)
  const frames: EnsoFollowFrame[] = []
  const waiting = new Set<{
    fits(frame: EnsoFollowFrame): boolean
    resolve(frame: EnsoFollowFrame): void
    reject(error: Error): void
  }>()
  let rest = ''
  response.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      if (!line.startsWith('data: ')) continue
      const frame = JSON.parse(line.slice(6)) as EnsoFollowFrame
      frames.push(frame)
      for (const waiter of waiting) {
        if (!waiter.fits(frame)) continue
        waiting.delete(waiter)
        waiter.resolve(frame)
      }
    }
  })
  response.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => response.once('close', () => resolve()))
  void ended.then(() => {
    for (const { reject } of waiting) reject(new Error(`the follow ended: ${JSON.stringify(frames.slice(-3))}`))
  })
  return {
    frames,
    waitFor: (fits) => {
      const there = frames.find(fits)
      if (there !== undefined) return Promise.resolve(there)
      return new Promise((resolve, reject) => waiting.add({ fits, resolve, reject }))
    },
    ended,
    close: () => void asking.destroy(),
  }
}

/** Does a frame hold an observation of this kind? */
export function isKind(kind: string): (frame: EnsoFollowFrame) => boolean {
  return (frame) => frame.type === 'observation' && frame.observation.kind === kind
}

/** Does a frame say that this run is over? */
export function isOver(generation: number): (frame: EnsoFollowFrame) => boolean {
  return (frame) => frame.type === 'status' && !frame.busy && frame.generation === generation
}
