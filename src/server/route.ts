import type { TObject, TSchema } from '@sinclair/typebox'
import type { EnsoRefusal, EnsoRefusalCode } from '../core/index.js'
import type { PageFile } from './page-files.js'
import type { SseChannel } from './sse/channel.js'

/** One request of a route, as far as the route needs it. Everything in it has been bounded; nothing is trusted. */
export interface RouteCall {
  /** By their names in the path. */
  readonly params: Readonly<Record<string, string>>
  /** Of the route's query schema's shape. */
  readonly query: Readonly<Record<string, string>>
  /** Parsed JSON; `undefined` where the route takes none. */
  readonly body: unknown
  readonly header: (name: string) => string | undefined
}

/** What a route answers. */
export type RouteAnswer =
  | { readonly kind: 'json'; readonly status: number; readonly value: unknown }
  | { readonly kind: 'empty'; readonly status: number }
  | { readonly kind: 'text'; readonly contentType: string; readonly text: string }
  | ({ readonly kind: 'file' } & PageFile)
  | { readonly kind: 'refused'; readonly refusal: EnsoRefusal; readonly body?: unknown }
  /** Events until the reader or the server ends it. `start` may refuse as long as it has written nothing. */
  | { readonly kind: 'events'; readonly start: (channel: SseChannel) => Promise<EnsoRefusal | undefined> }

/** One way into the server: a method and a path. The routes, the OpenAPI document and the docs' table are made of these. */
export interface ServerRoute {
  readonly method: 'GET' | 'POST'
  /** With `:name` for each parameter. */
  readonly path: string
  /** Unique; the OpenAPI operation's id. */
  readonly name: string
  readonly summary: string
  /** `open` routes hold no data and need no token. */
  readonly access: 'token' | 'open'
  readonly success: readonly (200 | 202 | 204)[]
  /** Closed; absent where a query is refused. */
  readonly query?: TObject
  readonly body?: TSchema
  /** Most bytes of a body. */
  readonly bodyLimit: number
  /** Of a JSON answer, or of each event; `null` where nothing is answered, `text` for anything that is no JSON. */
  readonly result: TSchema | null | 'text'
  /** Answers with server-sent events. */
  readonly events?: true
  /** Takes the header that names a new thread's project. */
  readonly takesProject?: true
  /** Beside what the guards refuse. */
  readonly refusals: readonly EnsoRefusalCode[]
  /** The shape of a 422 of its own. */
  readonly refusalBody?: TSchema
  handle(call: RouteCall): Promise<RouteAnswer>
}

/** Most bytes of a body that carries no image: 64 KiB. */
export const SMALL_BODY_BYTES = 64 * 1024

/** A JSON answer. */
export function answer(status: number, value: unknown): RouteAnswer {
  return { kind: 'json', status, value }
}

/** A refusal as an answer. */
export function refusedAnswer(refusal: EnsoRefusal, body?: unknown): RouteAnswer {
  return body === undefined ? { kind: 'refused', refusal } : { kind: 'refused', refusal, body }
}
