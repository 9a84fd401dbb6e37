import {
  ENSO_PROJECT_HEADER,
  EnsoError,
  type EnsoFollowFrame,
  type EnsoProject,
  type EnsoRefusal,
  EnsoRefusal as Refusal,
  type EnsoStoredThread,
  type EnsoThreadSummary,
  jsonLine,
  lazyValidator,
  refusal,
} from '../../core/index.js'
import { operationNamed, type OperationOutcome } from '../../thread/operations.js'
import type { ClientCalls } from './client-calls.js'
import { createEventLines } from './event-lines.js'

/** What a server answered. */
export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: EnsoRefusal }

/** The threads of a server. */
export interface ServedThreads {
  readonly live: readonly EnsoThreadSummary[]
  readonly stored: readonly EnsoStoredThread[]
}

/** One follow that is open. */
export interface OpenFollow {
  /** Resolves when the server ended it or the connection broke; rejects with nothing. */
  readonly ended: Promise<void>
}

/** A server's operations as calls. A refusal is a value; a server that can't be reached or spoken with is thrown. */
export interface EnsoClient {
  /** An operation by its name, typed by it. @throws EnsoError `host-fault`, `bad-input` */
  call<Name extends keyof ClientCalls>(
    name: Name,
    threadId: string,
    body: ClientCalls[Name]['body'],
  ): Promise<Answer<ClientCalls[Name]['result']>>
  /** Any operation of the table, over its own route. @throws EnsoError `host-fault`, `bad-input` */
  operate(name: string, threadId: string, body: unknown): Promise<OperationOutcome>
  threads(): Promise<Answer<ServedThreads>>
  projects(): Promise<Answer<readonly EnsoProject[]>>
  /**
   * Follows a thread: resolves when the server has taken it, then calls back frame by frame.
   * @throws EnsoError `host-fault`, `bad-input`
   */
  follow(threadId: string, onFrame: (frame: EnsoFollowFrame) => void, signal: AbortSignal): Promise<OpenFollow>
}

export interface EnsoClientOptions {
  readonly origin: string
  readonly token: string
  /** The project of a thread that is new. */
  readonly projectId?: string | undefined
  readonly fetch?: typeof globalThis.fetch
}

const refusals = lazyValidator(Refusal)

/** Makes a client; nothing is sent until it is asked. */
export function createEnsoClient(options: EnsoClientOptions): EnsoClient {
  const { origin, token, projectId, fetch = globalThis.fetch } = options
  const headers = {
    authorization: `Bearer ${token}`,
    ...(projectId === undefined ? {} : { [ENSO_PROJECT_HEADER]: projectId }),
  }

  async function send(
    path: string,
    init: RequestInit = {},
    more: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    let response: Response
    try {
      response = await fetch(`${origin}${path}`, {
        ...init,
        redirect: 'error',
        headers: { ...headers, ...more },
      })
    } catch (error) {
      throw unreachable(origin, error)
    }
    if (response.status !== 401 && response.status !== 403) return response
    await response.body?.cancel()
    throw response.status === 401
      ? new EnsoError('bad-input', `the server at ${origin} does not take this token`)
      : new EnsoError('bad-input', `the server is not known as ${origin}`, {
          hint: '--public-url tells it a further name',
        })
  }

  async function read<T>(path: string): Promise<Answer<T>> {
    const response = await send(path)
    if (response.ok) return { ok: true, value: (await response.json()) as T }
    return { ok: false, refusal: (await refusedBy(response)).refusal }
  }

  async function operate(name: string, threadId: string, body: unknown): Promise<OperationOutcome> {
    const operation = operationNamed(name)
    if (operation === undefined) {
      return { ok: false, refusal: refusal('not-found', `there is no operation ${JSON.stringify(name)}`) }
    }
    const path = pathOf(operation.path, { ...(body as object | undefined), threadId })
    const sent = operation.method === 'POST' ? jsonLine(body ?? {}) : undefined
    const response =
      sent === undefined
        ? await send(path)
        : await send(path, { method: 'POST', body: sent }, { 'content-type': 'application/json' })
    if (!response.ok) return { ok: false, ...(await refusedBy(response)) }
    const status = response.status as 200 | 202 | 204
    const text = await response.text()
    return { ok: true, status, result: text === '' ? null : (JSON.parse(text) as unknown) }
  }

  return {
    call: async <Name extends keyof ClientCalls>(name: Name, threadId: string, body: ClientCalls[Name]['body']) => {
      const outcome = await operate(name, threadId, body)
      if (!outcome.ok) return { ok: false, refusal: outcome.refusal }
      return { ok: true, value: outcome.result as ClientCalls[Name]['result'] }
    },
    operate,
    threads: () => read<ServedThreads>('/api/threads'),
    projects: () => read<readonly EnsoProject[]>('/api/projects'),
    follow: async (threadId, onFrame, signal) => {
      const response = await send(`/api/threads/${encodeURIComponent(threadId)}/follow`, { signal })
      if (!response.ok || response.body === null) {
        const { refusal: refused } = await refusedBy(response)
        throw new EnsoError('bad-input', `the server refused the follow: ${refused.reason}`)
      }
      return { ended: readFrames(response.body, onFrame) }
    },
  }
}

/** A route's path with what stands in it. */
function pathOf(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])))
}

async function readFrames(body: ReadableStream<Uint8Array>, onFrame: (frame: EnsoFollowFrame) => void): Promise<void> {
  const take = createEventLines((data) => onFrame(JSON.parse(data) as EnsoFollowFrame))
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = (await reader.read()) as { done: boolean; value: Uint8Array | undefined }
      if (done || value === undefined) return
      take(decoder.decode(value, { stream: true }))
    }
  } catch {
    // A connection that broke ends the follow like one that was closed: who wants more follows again.
    return
  }
}

/** What a server that doesn't answer as one of ours is told as: something stands in between. */
async function refusedBy(response: Response): Promise<{ readonly refusal: EnsoRefusal; readonly body?: unknown }> {
  const body = await response.json().catch(() => undefined)
  if (refusals.check(body)) return { refusal: body }
  const { step, reason } = (body ?? {}) as { step?: unknown; reason?: unknown }
  if (typeof step === 'string' && typeof reason === 'string') {
    return { refusal: refusal('refused', `${step}: ${reason}`), body }
  }
  throw new EnsoError('host-fault', `the server answered with status ${response.status}`)
}

function unreachable(origin: string, error: unknown): EnsoError {
  const { code } = ((error as { cause?: unknown }).cause ?? {}) as NodeJS.ErrnoException
  return new EnsoError(
    'host-fault',
    `the server at ${origin} can't be reached${code === undefined ? '' : ` (${code})`}`,
    {
      cause: error,
      hint: 'enso serve starts one and prints its address',
    },
  )
}
