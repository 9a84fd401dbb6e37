import { inRoot } from '../../../test/support/root.js'
import { addFigure, addRatio } from '../figures.js'
import { fanOut, type FanOut, type FanOutRequest, whileRead } from './fan-out.js'
import { startServed, until, type World } from './started.js'

/** Both writers in turn, so that a slow moment of the machine hits both. */
export async function manyFollowers(
  ours: string,
  rounds: number,
  request: Pick<FanOutRequest, 'events' | 'burst' | 'readers'>,
): Promise<void> {
  const both = { ...request, bytes: 100, stalled: 0 }
  const bare: FanOut[] = []
  const served: FanOut[] = []
  for (let round = 0; round < rounds; round++) {
    bare.push(await fanOut({ ...both, argv: [inRoot('scripts/bench/programs/bare-sse.js')], path: '/', token: 'x' }))
    served.push(await fanOut({ ...both, argv: [ours], path: '/api/threads/bench/follow', token: 'bench' }))
  }
  const { readers, events, burst } = request
  const name = `${readers} followers, ${burst === 1 ? 'an event' : `${burst} events`} a turn`
  const rate = (all: readonly FanOut[]): number[] => all.map(({ cpuMs }) => (readers * events) / cpuMs / 1000)
  const of = (all: readonly FanOut[], figure: 'cpuMs' | 'wallMs'): number[] => all.map((one) => one[figure])
  addFigure(`${name}: deliveries`, 'M a CPU second', rate(served))
  addFigure(`${name}: a bare writer's deliveries`, 'M a CPU second', rate(bare))
  addRatio(`${name}: CPU`, of(served, 'cpuMs'), of(bare, 'cpuMs'))
  addRatio(`${name}: wall`, of(served, 'wallMs'), of(bare, 'wallMs'))
  const each = served.map(({ residentMiB, idleMiB }) => ((residentMiB - idleMiB) * 1024) / readers)
  addFigure(`${name}: each`, 'KiB', each)
  addFigure(
    `${name}: events missed`,
    '',
    served.map(({ delivered }) => readers * events - delivered),
  )
}

/**
 * A hundred readers that take nothing beside ten that do: what they cost once their buffers are full. Events come no faster
 * than the ten read them, for whoever falls behind is cut off.
 */
export async function stalledReaders(ours: string): Promise<void> {
  const pace = { bytes: 2000, burst: 4, pause: 1 }
  const request = { argv: [ours], path: '/api/threads/bench/follow', token: 'bench', readers: 10, ...pace }
  const [half, whole] = [4000, 8000]
  const run = (events: number, stalled: number): Promise<FanOut> => fanOut({ ...request, events, stalled })
  const [halfWithout, without] = [await run(half, 0), await run(whole, 0)]
  const [halfWith, beside] = [await run(half, 100), await run(whole, 100)]
  const name = '10 followers, 2,000 bytes an event'
  addFigure(`${name}: CPU of ${half} events`, 'ms', [without.cpuMs - halfWithout.cpuMs])
  addFigure(`${name}: the same beside 100 stalled ones`, 'ms', [beside.cpuMs - halfWith.cpuMs])
  addFigure(`${name}: resident`, 'MiB', [without.residentMiB])
  addFigure(`${name}: resident beside 100 stalled ones`, 'MiB', [beside.residentMiB])
  addFigure(`${name}: cut off of those that read`, '', [without.cut + beside.cut])
}

/** The whole path of `enso serve`: a model's reply as its pieces come over the wire, joined by the feed, to a hundred. */
export async function streamedReply(world: World, rounds: number): Promise<void> {
  const [pieces, readers, piece] = [20_000, 100, 'streaming words ']
  const all: FanOut[] = []
  for (let round = 0; round < rounds; round++) {
    const { server, port, token, ask } = await startServed(world)
    const threadPath = `/api/threads/streamed-${round}`
    world.server.otherwise({ text: 'hello' })
    const first = await ask('GET', `${threadPath}/follow`)
    await ask('POST', `${threadPath}/prompt`, { message: 'hi' })
    await until(first, '"settled"')
    world.server.otherwise({ deltas: Array.from({ length: pieces }, () => piece) })
    const request = { port, path: `${threadPath}/follow`, token, readers, stalled: 0, last: '"kind":"settled"' }
    all.push(await whileRead(server, request, () => void ask('POST', `${threadPath}/prompt`, { message: 'more' })))
    await server.end()
  }
  const name = `a reply of ${pieces} pieces to ${readers} followers`
  addFigure(
    `${name}: wall`,
    'ms',
    all.map(({ wallMs }) => wallMs),
  )
  addFigure(
    `${name}: CPU, the model's wire included`,
    'ms',
    all.map(({ cpuMs }) => cpuMs),
  )
  addFigure(
    `${name}: events each`,
    '',
    all.map(({ delivered }) => delivered / readers),
  )
  addFigure(
    `${name}: pieces delivered, joined`,
    'M a CPU second',
    all.map(({ cpuMs }) => (pieces * readers) / cpuMs / 1000),
  )
}
