import { performance } from 'node:perf_hooks'
import { inRoot } from '../../../test/support/root.js'
import { watch } from './processes.js'

/** One thread streaming to many readers, measured at the server. */
export interface FanOut {
  readonly wallMs: number
  readonly cpuMs: number
  readonly residentMiB: number
  /** Before anybody followed. */
  readonly idleMiB: number
  /** Events that readers who kept up did not get. */
  readonly missed: number
}

export interface FanOutRequest {
  readonly argv: readonly string[]
  readonly path: string
  readonly token: string
  readonly events: number
  readonly bytes: number
  readonly readers: number
  readonly stalled: number
}

/** Runs a server and its readers, each in a process of its own. */
export async function fanOut({ argv, path, token, events, bytes, readers, stalled }: FanOutRequest): Promise<FanOut> {
  const server = watch([...argv, String(events), String(bytes)])
  try {
    const port = await server.line()
    const idleMiB = server.residentMiB()
    const program = inRoot('scripts', 'bench', 'programs', 'sse-readers.js')
    const reading = watch([program, port, path, token, String(readers), String(events), String(stalled)])
    try {
      await reading.line()
      const [startedAt, cpuBefore] = [performance.now(), server.cpuMs()]
      server.child.stdin!.write('begin\n')
      const { missed } = JSON.parse(await reading.line()) as { missed: number }
      const wallMs = performance.now() - startedAt
      return { wallMs, cpuMs: server.cpuMs() - cpuBefore, residentMiB: server.residentMiB(), idleMiB, missed }
    } finally {
      await reading.end()
    }
  } finally {
    await server.end()
  }
}
