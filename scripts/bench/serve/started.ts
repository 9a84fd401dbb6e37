import { performance } from 'node:perf_hooks'
import { inRoot } from '../../../test/support/root.js'
import { addFigure } from '../figures.js'
import type { createWorld } from '../world.js'
import { type Watched, watch } from './processes.js'

/** Where the served program runs. */
export type World = Awaited<ReturnType<typeof createWorld>>

/** `enso serve`, started as people start it. */
export interface Served {
  readonly server: Watched
  readonly listeningMs: number
  readonly port: string
  readonly token: string
  ask(method: string, path: string, body?: unknown): Promise<Response>
}

export async function startServed(world: World): Promise<Served> {
  const startedAt = performance.now()
  const server = watch([inRoot('bin/enso.js'), 'serve', '-m', 'local/x'], { cwd: world.cwd, env: world.env })
  const address = new URL((await server.line()).slice('listening '.length))
  const token = address.hash.slice('#token='.length)
  return {
    server,
    listeningMs: performance.now() - startedAt,
    port: address.port,
    token,
    ask: (method, path, body) =>
      fetch(`${address.origin}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  }
}

/** Reads a follow until a text is in it. */
export async function until(follow: Response, text: string): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of follow.body as unknown as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(chunk, { stream: true })
    if (rest.includes(text)) return
    rest = rest.slice(-text.length)
  }
}

/** From nothing to listening, and from a first prompt to the first word of its reply. */
export async function starting(world: World, rounds: number): Promise<void> {
  const [listening, firstWord, idle]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round <= rounds; round++) {
    world.server.enqueue({ text: 'hello' })
    const { server, listeningMs, ask } = await startServed(world)
    const idleMiB = server.residentMiB()
    const follow = await ask('GET', `/api/threads/start-${round}/follow`)
    const startedAt = performance.now()
    await ask('POST', `/api/threads/start-${round}/prompt`, { message: 'hi' })
    await until(follow, '"text-delta"')
    // The first round warms the disk's cache and counts for nobody.
    if (round > 0) {
      listening.push(listeningMs)
      firstWord.push(performance.now() - startedAt)
      idle.push(idleMiB)
    }
    await server.end()
  }
  addFigure('start to listening', 'ms', listening)
  addFigure('idle', 'MiB', idle)
  addFigure('first prompt to its first word', 'ms', firstWord)
}

/** Many threads that stay live. */
export async function manyThreads(world: World, threads: number): Promise<void> {
  world.server.otherwise({ text: 'hello' })
  const { server, ask } = await startServed(world)
  const run = async (threadId: string): Promise<void> => {
    const follow = await ask('GET', `/api/threads/${threadId}/follow`)
    await ask('POST', `/api/threads/${threadId}/prompt`, { message: 'hi' })
    await until(follow, '"settled"')
  }
  await run('first')
  const [before, startedAt, cpuBefore] = [server.residentMiB(), performance.now(), server.cpuMs()]
  for (let from = 0; from < threads; from += 20) {
    await Promise.all(Array.from({ length: Math.min(20, threads - from) }, (_, index) => run(`many-${from + index}`)))
  }
  const took = performance.now() - startedAt
  const { live } = (await (await ask('GET', '/api/threads')).json()) as { live: unknown[] }
  const what = `${live.length} threads live`
  addFigure(`${what}: a prompt and its reply`, 'ms', [took / threads])
  addFigure(`${what}: CPU of a prompt and its reply`, 'ms', [(server.cpuMs() - cpuBefore) / threads])
  addFigure(`${what}: each`, 'KiB', [((server.residentMiB() - before) * 1024) / threads])
  addFigure(`${what}: all`, 'MiB', [server.residentMiB()])
  await server.end()
}
