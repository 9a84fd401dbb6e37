import { type Signal, signal } from '@preact/signals'
import { backoffMs } from '../model/backoff.js'
import { readEvents } from './events.js'
import { send } from './http.js'
import { token } from './token.js'

/** How a long connection stands. `waiting` comes back by itself at `until`, by this page's clock. */
export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  | { readonly kind: 'waiting'; readonly until: number }
  /** The server said no for good; `reason` says why. */
  | { readonly kind: 'refused'; readonly reason: string }

/** A connection that comes back by itself until it is closed. */
export interface LongRead {
  readonly connection: Signal<Connection>
  /** Comes back at once instead of waiting. */
  now(): void
  close(): void
}

/** What is read. */
export interface LongReading {
  /** Asked at each try: what is asked for may depend on what has been read. */
  readonly path: () => string
  readonly projectId?: string | undefined
  onData(data: string): void
}

/** Refusals that another try can't change. */
const FOR_GOOD = new Set([400, 403, 404, 413, 422])

/** Reads events and comes back with growing pauses whenever the connection breaks. */
export function longRead({ path, projectId, onData }: LongReading): LongRead {
  const connection = signal<Connection>({ kind: 'connecting' })
  const closing = new AbortController()
  let attempt = 0
  let wake: () => void = () => undefined

  async function once(): Promise<void> {
    const response = await send('GET', path(), { projectId, signal: closing.signal })
    if (!response.ok || response.body === null) {
      const { reason = `the server answered ${response.status}` } = (await response.json().catch(() => ({}))) as {
        reason?: string
      }
      if (FOR_GOOD.has(response.status)) connection.value = { kind: 'refused', reason }
      return
    }
    connection.value = { kind: 'open' }
    await readEvents(
      response.body,
      (data) => {
        attempt = 0
        onData(data)
      },
      closing.signal,
    )
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted && token.peek() !== undefined) {
      await once().catch(() => undefined)
      if (closing.signal.aborted || connection.peek().kind === 'refused') return
      const pause = backoffMs(++attempt, Math.random())
      connection.value = { kind: 'waiting', until: Date.now() + pause }
      await sleep(pause)
    }
  }

  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  const now = (): void => wake()
  addEventListener('online', now)
  void run()
  return {
    connection,
    now,
    close: () => {
      removeEventListener('online', now)
      closing.abort()
      wake()
    },
  }
}
