import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import { type EnsoRefusal, ENSO_REFUSAL_CODES } from '../core/index.js'
import { jsonResponse, refusalResponse } from './refuse.js'
import type { PageFile } from './page-files.js'
import type { RouteAnswer } from './route.js'
import type { ServerEnv } from './server-env.js'
import type { SseChannel } from './sse/channel.js'
import { createNodeChannel } from './sse/node-channel.js'
import { createWebChannel } from './sse/web-channel.js'

/** A route's answer as a response. */
export async function respond(c: Context<ServerEnv>, answer: RouteAnswer): Promise<Response> {
  switch (answer.kind) {
    case 'json':
      return jsonResponse(answer.status, answer.value)
    case 'empty':
      return new Response(null, { status: answer.status })
    case 'text':
      return new Response(answer.text, { headers: { 'content-type': answer.contentType } })
    case 'file':
      return fileResponse(answer, c.req.header('accept-encoding') ?? '')
    case 'refused':
      return answer.body === undefined
        ? refusalResponse(answer.refusal)
        : jsonResponse(ENSO_REFUSAL_CODES[answer.refusal.code], answer.body)
    case 'events':
      return respondWithEvents(c, answer.start)
  }
}

/** A file of the page, packed where the browser unpacks it. One that keeps its name is asked for each time. */
function fileResponse({ contentType, bytes, gzipped, isKept }: PageFile, accepted: string): Response {
  const isPacked = /\bgzip\b/.test(accepted)
  return new Response(isPacked ? gzipped() : bytes, {
    headers: {
      'content-type': contentType,
      vary: 'accept-encoding',
      ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
      ...(isKept ? { 'cache-control': 'public, max-age=31536000, immutable' } : {}),
    },
  })
}

async function respondWithEvents(
  c: Context<ServerEnv>,
  start: (channel: SseChannel) => Promise<EnsoRefusal | undefined>,
): Promise<Response> {
  const { outgoing } = c.env ?? {}
  if (outgoing === undefined) {
    const web = createWebChannel(c.req.raw.signal)
    const refused = await start(web.channel)
    return refused === undefined ? web.response() : refusalResponse(refused)
  }
  const refused = await start(createNodeChannel(outgoing))
  return refused === undefined ? RESPONSE_ALREADY_SENT.clone() : refusalResponse(refused)
}
