import { performance } from 'node:perf_hooks'
import { inRoot } from '../../../test/support/root.js'
import { type Watched, watch } from './processes.js'

/** One thread streaming to many readers, measured at the server. */
export interface FanOut {
  readonly wallMs: number
  readonly cpuMs: number
  readonly residentMiB: number
  /** Before anybody followed. */
  readonly idleMiB: number
  /** Events that readers got. */
  readonly delivered: number
  /** Readers that fell so far behind that the server cut them off: on a busy machine, whoever reads. */
  readonly cut: number
}

export interface FanOutRequest {
  readonly argv: readonly string[]
  readonly path: string
  readonly token: string
  readonly events: number
  readonly bytes: number
  /** Events that come in one turn of the event loop. */
  readonly burst: number
  /** Milliseconds to the next ones; none when absent. */
  readonly pause?: number
  readonly readers: number
  readonly stalled: number
}

/** Runs a server and its readers, each in a process of its own. */
export async function fanOut(request: FanOutRequest): Promise<FanOut> {
  const { argv, events, bytes, burst, pause = 0 } = request
  const server = watch([...argv, ...[events, bytes, burst, pause].map(String)])
  try {
    const port = await server.line()
    return await whileRead(
      server,
      { ...request, port, last: `"seq":${events},` },
      () => void server.child.stdin!.write('begin\n'),
    )
  } finally {
    await server.end()
  }
}

/** What a server costs from the moment it is told to begin until every reader has the last event or was cut off. */
export async function whileRead(
  server: Watched,
  request: Pick<FanOutRequest, 'path' | 'token' | 'readers' | 'stalled'> & {
    readonly port: string
    /** Text that only the last event has. */
    readonly last: string
  },
  begin: () => void,
): Promise<FanOut> {
  const { port, path, token, readers, stalled, last } = request
  const idleMiB = server.residentMiB()
  const program = inRoot('scripts', 'bench', 'programs', 'sse-readers.js')
  const reading = watch([program, port, path, token, String(readers), String(stalled), last])
  try {
    await reading.line()
    const [startedAt, cpuBefore] = [performance.now(), server.cpuMs()]
    begin()
    const { delivered, cut } = JSON.parse(await reading.line()) as Pick<FanOut, 'delivered' | 'cut'>
    const wallMs = performance.now() - startedAt
    return { wallMs, cpuMs: server.cpuMs() - cpuBefore, residentMiB: server.residentMiB(), idleMiB, delivered, cut }
  } finally {
    await reading.end()
  }
}
