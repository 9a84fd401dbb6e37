import type { Context, Handler } from 'hono'
import { EnsoError, type EnsoRefusal, refusal } from '../core/index.js'
import { type BodyBudget, readBoundedBody } from './guards/bounded-body.js'
import { readClosedQuery } from './guards/closed-query.js'
import { isDeeperThan } from './guards/json-depth.js'
import { contentTypeRefusal } from './guards/json-only.js'
import { refusalOfFault, refusalResponse, refuse } from './refuse.js'
import { respond } from './respond.js'
import type { ServerRoute } from './route.js'
import type { ServerEnv } from './server-env.js'

/** A body as a value, or why it was not taken. */
type BodyValue = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly refusal: EnsoRefusal }

/** Serves a route: reads what it takes within its bounds, asks it, and answers with what it says. */
export function serveRoute(route: ServerRoute, budget: BodyBudget): Handler<ServerEnv> {
  return async (c) => {
    // A HEAD would run the handler of the GET, and for a follow that never ends.
    if (c.req.method !== route.method) return refuse('not-found', 'there is nothing here')
    const query = readClosedQuery(route.query, searchOf(c.req.url))
    if (!query.ok) return refusalResponse(query.refusal)
    const body = await readBody(c, route, budget)
    if (!body.ok) return refusalResponse(body.refusal)
    try {
      const answer = await route.handle({
        params: c.req.param(),
        query: query.query,
        body: body.value,
        header: (name) => c.req.header(name),
      })
      return await respond(c, answer)
    } catch (error) {
      if (error instanceof EnsoError) return refusalResponse(refusalOfFault(error))
      throw error
    }
  }
}

function searchOf(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at + 1).split('#', 1)[0]!
}

async function readBody(c: Context<ServerEnv>, route: ServerRoute, budget: BodyBudget): Promise<BodyValue> {
  if (route.method === 'GET') return hasBody(c) ? wrong('a GET has no body') : { ok: true, value: undefined }
  const takesBody = route.body !== undefined
  const type = contentTypeRefusal(c.req.header('content-type'), takesBody)
  if (type !== undefined) return { ok: false, refusal: type }
  const reading = await readBoundedBody(c.req.raw, route.bodyLimit, budget)
  if (!reading.ok) return reading
  if (!takesBody && reading.text.trim() === '') return { ok: true, value: undefined }
  if (isDeeperThan(reading.text)) return wrong('the body is nested too deeply')
  const value = parsed(reading.text)
  if (value === undefined) return wrong('the body is not JSON')
  if (takesBody || isEmptyObject(value)) return { ok: true, value: takesBody ? value : undefined }
  return wrong('this takes no body')
}

/** `undefined`, which no JSON is, where the text is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function hasBody(c: Context<ServerEnv>): boolean {
  return Number(c.req.header('content-length') ?? 0) > 0 || c.req.header('transfer-encoding') !== undefined
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
}

function wrong(reason: string): BodyValue {
  return { ok: false, refusal: refusal('malformed', reason) }
}
