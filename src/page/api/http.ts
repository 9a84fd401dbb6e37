import { ENSO_PROJECT_HEADER } from '../../core/index.js'
import { refuseToken, token } from './token.js'

/** What came of a request: its answer, or why there is none. `status` is 0 where the server was not reached. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly status: number; readonly reason: string; readonly body?: unknown }

/** What is said where the server was not reached. */
export const UNREACHABLE = 'the server can’t be reached'

/** What goes with a request. */
export interface Asked {
  readonly body?: unknown
  /** The project of a thread that is new. */
  readonly projectId?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** Sends a request with the token. Rejects only when it was aborted or the server can't be reached. */
export async function send(method: 'GET' | 'POST', path: string, asked: Asked = {}): Promise<Response> {
  const mine = token.peek()
  const headers: Record<string, string> = {}
  if (mine !== undefined) headers['authorization'] = `Bearer ${mine}`
  if (asked.projectId !== undefined) headers[ENSO_PROJECT_HEADER] = asked.projectId
  if (asked.body !== undefined) headers['content-type'] = 'application/json'
  const response = await fetch(path, {
    method,
    headers,
    ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
    ...(asked.signal === undefined ? {} : { signal: asked.signal }),
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
  })
  if (response.status === 401 && mine !== undefined) refuseToken(mine)
  return response
}

/** Asks for JSON; an answer without a body is `undefined`. */
export async function ask<T>(method: 'GET' | 'POST', path: string, asked: Asked = {}): Promise<Answer<T>> {
  try {
    const response = await send(method, path, asked)
    const text = await response.text()
    if (response.ok) return { ok: true, value: (text === '' ? undefined : JSON.parse(text)) as T }
    return refusedAnswer(response.status, text)
  } catch (error) {
    return { ok: false, status: 0, reason: unreachable(error) }
  }
}

function refusedAnswer(status: number, text: string): Answer<never> {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    body = undefined
  }
  const { reason } = (body ?? {}) as { readonly reason?: unknown }
  return { ok: false, status, reason: typeof reason === 'string' ? reason : `the server answered ${status}`, body }
}

function unreachable(error: unknown): string {
  return error instanceof DOMException && error.name === 'AbortError' ? 'stopped' : UNREACHABLE
}
