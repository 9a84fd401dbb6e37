// Measures enso serve: starting, many threads, many followers, and what a follow costs over a bare writer of events.
//   npx tsx scripts/bench/serve.ts [--rounds N] [--followers N] [--threads N]        about a minute
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { inRoot } from '../../test/support/root.js'
import { fanOut, type FanOut, type FanOutRequest } from './serve/fan-out.js'
import { type Watched, watch } from './serve/processes.js'
import { median, pairedRatio } from './statistics.js'
import { createWorld } from './world.js'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    followers: { type: 'string', default: '1000' },
    threads: { type: 'string', default: '200' },
  },
})
const [rounds, followers, threads] = [Number(values.rounds), Number(values.followers), Number(values.threads)]
const dir = mkdtempSync(join(tmpdir(), 'enso-bench-serve-'))
const say = (text: string): void => void process.stdout.write(`${text}\n`)
const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`
const mib = (value: number): string => `${value.toFixed(0)} MiB`

/** The served feed as one plain file. */
async function bundled(name: string): Promise<string> {
  const outfile = join(dir, `${name}.mjs`)
  await build({
    absWorkingDir: inRoot(),
    entryPoints: [`scripts/bench/programs/${name}.ts`],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    banner: { js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url);" },
    logLevel: 'warning',
  })
  return outfile
}

/** Both writers in turn, so that a slow moment of the machine hits both. */
async function compare(ours: string, request: Omit<FanOutRequest, 'argv' | 'path' | 'token'>): Promise<void> {
  const bare: FanOut[] = []
  const served: FanOut[] = []
  for (let round = 0; round < rounds; round++) {
    bare.push(await fanOut({ ...request, argv: [inRoot('scripts/bench/programs/bare-sse.js')], path: '/', token: 'x' }))
    served.push(await fanOut({ ...request, argv: [ours], path: '/api/threads/bench/follow', token: 'bench' }))
  }
  const of = (results: readonly FanOut[], figure: keyof FanOut): number =>
    median(results.map((result) => result[figure]))
  const ratio = (figure: 'cpuMs' | 'wallMs'): string => {
    const {
      median: middle,
      low,
      high,
    } = pairedRatio(
      served.map((one) => one[figure]),
      bare.map((one) => one[figure]),
    )
    return `${middle.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`
  }
  const { readers, events, bytes } = request
  const deliveries = readers * events
  say(`${readers} followers, ${events} events of ${bytes} bytes`)
  for (const [name, results] of [
    ['bare node:http', bare],
    ['enso', served],
  ] as const) {
    const each = ((of(results, 'residentMiB') - of(results, 'idleMiB')) * 1024) / readers
    const rate = deliveries / (of(results, 'cpuMs') / 1000) / 1e6
    say(
      `  ${name.padEnd(15)} wall ${ms(of(results, 'wallMs'))}, CPU ${ms(of(results, 'cpuMs'))} (${rate.toFixed(2)} M deliveries per CPU second), ${each.toFixed(0)} KiB a follower, ${of(results, 'missed')} missed`,
    )
  }
  say(`  enso / bare     CPU ${ratio('cpuMs')}, wall ${ratio('wallMs')}; goal 1.5`)
}

/** A hundred readers that take nothing beside ten that do: what they cost once their buffers are full. */
async function stalledReaders(ours: string): Promise<void> {
  const request = { argv: [ours], path: '/api/threads/bench/follow', token: 'bench', bytes: 2000, readers: 10 }
  const [half, whole] = [4000, 8000]
  const run = (events: number, stalled: number): Promise<FanOut> => fanOut({ ...request, events, stalled })
  const [halfWithout, without] = [await run(half, 0), await run(whole, 0)]
  const [halfWith, beside] = [await run(half, 100), await run(whole, 100)]
  const later = (shorter: FanOut, longer: FanOut): string => ms(longer.cpuMs - shorter.cpuMs)
  say('10 followers, with 100 stalled ones beside them')
  say(
    `  CPU of events ${half} to ${whole}: ${later(halfWithout, without)} without them, ${later(halfWith, beside)} with them; ` +
      `resident ${mib(without.residentMiB)} without, ${mib(beside.residentMiB)} with; ${beside.missed} missed`,
  )
}

interface Served {
  readonly server: Watched
  readonly listeningMs: number
  ask(method: string, path: string, body?: unknown): Promise<Response>
}

async function startServed(world: Awaited<ReturnType<typeof createWorld>>): Promise<Served> {
  const startedAt = performance.now()
  const server = watch([inRoot('bin/enso.js'), 'serve', '-m', 'local/x'], { cwd: world.cwd, env: world.env })
  const address = new URL((await server.line()).slice('listening '.length))
  const authorization = `Bearer ${address.hash.slice('#token='.length)}`
  return {
    server,
    listeningMs: performance.now() - startedAt,
    ask: (method, path, body) =>
      fetch(`${address.origin}${path}`, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  }
}

/** Reads a follow until a text is in it. */
async function until(follow: Response, text: string): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of follow.body as unknown as AsyncIterable<Uint8Array>) {
    rest = (rest + decoder.decode(chunk, { stream: true })).slice(-10_000)
    if (rest.includes(text)) return
  }
}

async function starting(world: Awaited<ReturnType<typeof createWorld>>): Promise<void> {
  const listening: number[] = []
  const firstEvent: number[] = []
  const idle: number[] = []
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
      firstEvent.push(performance.now() - startedAt)
      idle.push(idleMiB)
    }
    await server.end()
  }
  say(
    `listening after ${ms(median(listening))}, ${mib(median(idle))} idle; first word of a first prompt after ${ms(median(firstEvent))}`,
  )
}

async function manyThreads(world: Awaited<ReturnType<typeof createWorld>>): Promise<void> {
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
  const each = ((server.residentMiB() - before) * 1024) / threads
  say(
    `${live.length} threads live: ${ms(took / threads)} and ${ms((server.cpuMs() - cpuBefore) / threads)} of CPU each for a prompt and its reply, ${each.toFixed(0)} KiB each, ${mib(server.residentMiB())} in all`,
  )
  await server.end()
}

try {
  const ours = await bundled('served-feed')
  const world = await createWorld()
  try {
    await starting(world)
    await manyThreads(world)
  } finally {
    await world.close()
  }
  await compare(ours, { events: 2000, bytes: 100, readers: 100, stalled: 0 })
  await compare(ours, { events: 300, bytes: 100, readers: followers, stalled: 0 })
  await stalledReaders(ours)
} finally {
  rmSync(dir, { recursive: true, force: true })
}
