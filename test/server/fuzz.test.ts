import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from '@sinclair/typebox'
import fc from 'fast-check'
import { ENSO_REFUSAL_CODES } from '../../src/core/index.js'
import type { ServerRoute } from '../../src/server/route.js'
import { settleTicks } from '../support/fake-threads.js'
import { servedApp, type ServedApp, TEST_HOST } from '../support/served-app.js'

/** Requests in all; half of them bodies, half of them paths, queries and headers. */
const RUNS = Number(process.env['ENSO_FUZZ_RUNS'] ?? 10_000)
const REFUSED = new Set<number>(Object.values(ENSO_REFUSAL_CODES))
const SUCCESS = new Set([200, 202, 204])

/** Values near a schema: mostly of its shape, with something wrong here and there. */
function near(schema: TSchema): fc.Arbitrary<unknown> {
  const wrong = fc.oneof(
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
    { weight: 8, arbitrary: shaped(schema) },
  )
  return wrong
}

const awkward = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '__proto__',
    'constructor',
    '\u2028',
    '\ud800',
    '../..',
    '\0',
    'enso.browser',
    'bypassPermissions',
    'default',
    'model',
    'local/x',
  ),
)

function shaped(schema: TSchema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema['const'])
  if (Array.isArray(schema['anyOf'])) return fc.oneof(...(schema['anyOf'] as TSchema[]).map(near))
  switch (schema['type']) {
    case 'string':
      return awkward
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer(), fc.double())
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(near(schema['items'] as TSchema), { maxLength: 4 })
    case 'object':
      return object(schema)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function object(schema: TSchema): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, TSchema>)
  const record = fc.record(Object.fromEntries(properties.map(([name, inner]) => [name, near(inner)])), {
    requiredKeys: fc.sample(fc.subarray(properties.map(([name]) => name)), 1)[0] as never[],
  })
  const more = fc.option(fc.dictionary(fc.oneof(awkward, fc.constant('requestId')), fc.jsonValue({ maxDepth: 1 })), {
    nil: {},
    freq: 6,
  })
  return fc.tuple(record, more).map(([known, unknown]) => ({ ...known, ...unknown }))
}

/** A body's text: of the shape, broken JSON, or anything. */
function bodyText(schema: TSchema | undefined): fc.Arbitrary<string> {
  const json = (schema === undefined ? fc.jsonValue() : near(schema)).map(
    (value) => JSON.stringify(value) ?? 'undefined',
  )
  return fc.oneof(
    { weight: 6, arbitrary: json },
    { weight: 1, arbitrary: json.map((text) => text.slice(0, Math.max(0, text.length - 1))) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
    { weight: 1, arbitrary: fc.nat(300).map((depth) => '['.repeat(depth)) },
  )
}

/** Every answer is one of ours: a success of the route, or a refusal of the closed list with its code. */
async function judge(response: Response, what: string): Promise<void> {
  assert.ok(response.status !== 500, what)
  if (SUCCESS.has(response.status)) {
    await response.body?.cancel()
    return
  }
  assert.ok(REFUSED.has(response.status), `${response.status} ${what}`)
  const body = (await response.json()) as { code?: string; step?: string; reason?: string }
  assert.equal(typeof body.reason, 'string', what)
  if (body.step !== undefined) return
  assert.equal(ENSO_REFUSAL_CODES[body.code as keyof typeof ENSO_REFUSAL_CODES], response.status, what)
}

/** Ends what a request began, so that the next one finds a thread that can be busy or not. */
async function settle({ host }: ServedApp): Promise<void> {
  await settleTicks()
  for (const { prompts, flows, emit } of host.opened) {
    for (const { outcome } of prompts.splice(0)) outcome.onAccepted()
    for (const { outcome } of flows.splice(0)) {
      outcome.onAccepted()
      outcome.onSettled()
    }
    emit({ kind: 'settled' })
  }
}

test('whatever body is sent, the answer is a success or a refusal of ours', { timeout: 300_000 }, async (t) => {
  const served = servedApp(t, { limits: { browserRecordsBurst: 1e9, browserRecordsPerSecond: 1e9 } })
  const routes = served.app.routes.filter(({ method }) => method === 'POST')
  const each = Math.ceil(RUNS / 2 / routes.length)
  const seen = new Set<number>()
  for (const route of routes) {
    const thread = fc.constantFrom('t1', 't2', 'a'.repeat(64), '-', 'a_b')
    await fc.assert(
      fc.asyncProperty(thread, bodyText(route.body), fc.boolean(), async (threadId, body, open) => {
        if (open && served.host.opened.length > 0)
          served.host.opened[0]!.ask({ method: 'select', title: '?', options: ['', 'a'] }, 'x')
        // A flow is answered when it has begun: the test says that it has.
        const answering = served.ask(route.path.replace(':threadId', threadId), { method: 'POST', body })
        await settle(served)
        const response = await answering
        seen.add(response.status)
        await judge(response, `${route.path} ${body}`)
        await settle(served)
      }),
      { numRuns: each },
    )
  }
  for (const status of [202, 204, 400, 422]) assert.ok(seen.has(status), `no ${status} among ${[...seen].join(' ')}`)
})

test(
  'whatever path, query and headers are sent, the answer is a success or a refusal of ours',
  { timeout: 300_000 },
  async (t) => {
    const { ask, app } = servedApp(t)
    const known = app.routes.map(({ path }: ServerRoute) => path.replaceAll(/:\w+/g, 't1'))
    const piece = fc.oneof(
      fc.constantFrom(
        '..',
        '.',
        '%2e%2e',
        '%2f',
        '%00',
        '%',
        '%zz',
        '%25%32%66',
        '\\',
        '//',
        't1',
        'api',
        'threads',
        '~',
        '{',
        '[',
        '|',
        '*',
        ':threadId',
        '%F0%9F',
      ),
      fc.string({ maxLength: 12 }).map(encodeURI),
    )
    const path = fc.oneof(
      fc.constantFrom(...known),
      fc
        .tuple(fc.constantFrom(...known), fc.array(piece, { maxLength: 4 }))
        .map(([base, pieces]) => [base, ...pieces].join('/')),
      fc.array(piece, { maxLength: 6 }).map((pieces) => `/${pieces.join('/')}`),
    )
    const name = fc.constantFrom(
      'level',
      'day',
      'from',
      'limit',
      'since',
      'thread',
      'grep',
      'path',
      'project',
      'token',
      '__proto__',
      'x',
    )
    const query = fc.array(fc.tuple(name, awkward), { maxLength: 3 }).map((pairs) => {
      const search = new URLSearchParams(pairs).toString()
      return search === '' ? '' : `?${search}`
    })
    const value = fc.constantFrom(
      '',
      '*',
      'null',
      'http://127.0.0.1:4321',
      TEST_HOST,
      'same-origin',
      'application/json',
      'x'.repeat(9000),
      'a-b',
      '../x',
      'text/event-stream',
    )
    const headers = fc.dictionary(
      fc.constantFrom(
        'origin',
        'host',
        'sec-fetch-site',
        'content-type',
        'x-enso-project',
        'authorization',
        'accept',
        'last-event-id',
        'content-length',
        'transfer-encoding',
        'x-forwarded-host',
      ),
      value,
      { maxKeys: 2 },
    )
    await fc.assert(
      fc.asyncProperty(
        path,
        query,
        headers,
        fc.constantFrom('GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'),
        async (at, search, some, method) => {
          const response = await ask(`${at.replaceAll('#', '')}${search}`, { method: method as 'GET', headers: some })
          if (method === 'HEAD') assert.ok(response.status !== 500)
          else await judge(response, `${method} ${at}${search} ${JSON.stringify(some)}`)
        },
      ),
      { numRuns: Math.ceil(RUNS / 2) },
    )
  },
)
