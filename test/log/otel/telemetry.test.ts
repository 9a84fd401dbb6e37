import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { EnsoObservation } from '../../../src/core/observation.js'
import { configureLogging } from '../../../src/log/configure.js'
import { createTelemetry, TELEMETRY_END_MS } from '../../../src/log/otel/telemetry.js'
import { wantsTelemetry } from '../../../src/log/otel/wanted.js'
import { createKnownSecrets } from '../../../src/log/redact/known-secrets.js'
import { testFolder } from '../../support/fake-cli.js'

interface OtlpSpan {
  readonly name: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly status: { readonly code?: number }
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

/** A collector on loopback, and what it was sent. */
async function collector(t: TestContext, status = 200) {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += String(chunk)))
    request.on('end', () => {
      bodies.push(`${request.url} ${body}`)
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const spans = (): OtlpSpan[] =>
    bodies.flatMap((body) => {
      const { resourceSpans } = JSON.parse(body.slice(body.indexOf(' '))) as {
        resourceSpans: readonly { scopeSpans: readonly { spans: readonly OtlpSpan[] }[] }[]
      }
      return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
    })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies, spans }
}

const SECRET = 'sk-test-ENSO-9f8e7d6c5b4a39281706'
const RUN: readonly EnsoObservation[] = [
  {
    kind: 'model',
    model: { provider: 'local', id: 'x', name: 'X' },
    thinkingLevel: 'off',
    availableThinkingLevels: [],
  },
  { kind: 'message-start', role: 'user', text: 'a private prompt' },
  { kind: 'turn-start' },
  { kind: 'message-end', role: 'assistant', model: 'x', usage: { input: 7, output: 3, cacheRead: 2, cacheWrite: 1 } },
  { kind: 'tool-call', toolCallId: 'c', toolName: 'bash', args: { command: `echo ${SECRET}` } },
  { kind: 'tool-result', toolCallId: 'c', toolName: 'bash', text: 'half', isError: false, complete: false },
  { kind: 'tool-result', toolCallId: 'c', toolName: 'bash', text: `it said ${SECRET}`, isError: true, complete: true },
  { kind: 'turn-start' },
  { kind: 'message-end', role: 'assistant' },
  { kind: 'provider-refused', message: 'too many', provider: 'local', status: 429 },
  { kind: 'settled' },
]

/** Sends a run to a collector and gives back the log beside it. */
async function send(t: TestContext, env: Readonly<Record<string, string>>, observations = RUN): Promise<string> {
  const logsDir = join(await testFolder(t), 'logs')
  const clock = {
    now: Date.now,
    after: (ms: number, callback: () => void) => {
      const timer = setTimeout(callback, ms)
      return () => clearTimeout(timer)
    },
  }
  const secrets = createKnownSecrets()
  secrets.add(SECRET)
  const handle = await configureLogging({ logsDir, process: 'test', env: {}, secrets, clock })
  const telemetry = createTelemetry({ env, version: '1.2.3', redactor: handle.redactor, clock })
  observations.forEach((observation, index) =>
    telemetry.observe({ threadId: 't', generation: 1, seq: index, observation }),
  )
  await telemetry.end()
  await handle.close()
  const [name = ''] = readdirSync(logsDir)
  return readFileSync(join(logsDir, name), 'utf8')
}

const attributesOf = (span: OtlpSpan | undefined): Record<string, unknown> =>
  Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, value['stringValue'] ?? value['intValue']]))

test('a run is a span with its requests and its tool calls inside, by the GenAI names, without contents', async (t) => {
  const { url, bodies, spans } = await collector(t)
  const log = await send(t, { OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/` })
  assert.ok(bodies.every((body) => body.startsWith('/v1/traces ')))
  assert.doesNotMatch(bodies.join(''), /private prompt|it said|echo/)
  assert.doesNotMatch(log, /could not be sent/)
  const byName = new Map(spans().map((span) => [span.name, span]))
  const agent = byName.get('invoke_agent enso')
  assert.deepEqual(
    spans()
      .map(({ name }) => name)
      .sort(),
    ['chat x', 'chat x', 'execute_tool bash', 'invoke_agent enso'],
  )
  assert.equal(agent?.parentSpanId, undefined)
  for (const span of spans().filter(({ spanId }) => spanId !== agent?.spanId))
    assert.equal(span.parentSpanId, agent?.spanId)
  assert.deepEqual(attributesOf(agent), {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'enso',
    'gen_ai.conversation.id': 't',
    'enso.generation': 1,
    'error.type': '429',
  })
  assert.deepEqual(attributesOf(spans().find(({ name }) => name === 'chat x')), {
    'gen_ai.operation.name': 'chat',
    'gen_ai.conversation.id': 't',
    'gen_ai.provider.name': 'local',
    'gen_ai.request.model': 'x',
    'gen_ai.response.model': 'x',
    'gen_ai.usage.input_tokens': 10,
    'gen_ai.usage.output_tokens': 3,
  })
  assert.deepEqual(attributesOf(byName.get('execute_tool bash')), {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'bash',
    'gen_ai.tool.call.id': 'c',
    'error.type': 'tool-error',
  })
  assert.equal(byName.get('execute_tool bash')?.status.code, 2)
})

test('contents are sent when they are asked for, without secrets', async (t) => {
  const { url, bodies, spans } = await collector(t)
  await send(t, {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/own`,
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
  })
  assert.ok(bodies.every((body) => body.startsWith('/own ')))
  assert.ok(!bodies.join('').includes(SECRET))
  const tool = attributesOf(spans().find(({ name }) => name === 'execute_tool bash'))
  assert.equal(tool['gen_ai.tool.call.arguments'], '{"command":"echo [REDACTED:value]"}')
  assert.equal(tool['gen_ai.tool.call.result'], 'it said [REDACTED:value]')
})

test('what is open when the process ends is ended and sent', async (t) => {
  const { url, spans } = await collector(t)
  await send(t, { OTEL_EXPORTER_OTLP_ENDPOINT: url }, RUN.slice(0, 5))
  assert.deepEqual(
    spans()
      .map(({ name }) => name)
      .sort(),
    ['chat x', 'execute_tool bash', 'invoke_agent enso'],
  )
})

test('a collector that refuses is said once, in the log, and ends in time', async (t) => {
  const { url } = await collector(t, 400)
  const log = await send(t, { OTEL_EXPORTER_OTLP_ENDPOINT: url })
  assert.equal(log.split('\n').filter((line) => line.includes('spans could not be sent')).length, 1)
})

test('a collector that never answers is waited for two seconds, and said', async (t) => {
  const server = createServer(() => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const from = Date.now()
  const log = await send(t, {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  })
  assert.ok(Date.now() - from < 4 * TELEMETRY_END_MS)
  assert.match(log, /took longer than 2000 ms/)
})

test('telemetry is off unless it is asked for by its own name', () => {
  assert.equal(wantsTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }), false)
  assert.equal(wantsTelemetry({ ENSO_TELEMETRY: '0' }), false)
  assert.equal(wantsTelemetry({ ENSO_TELEMETRY: '1' }), true)
  assert.equal(wantsTelemetry({ ENSO_TELEMETRY: 'true', OTEL_SDK_DISABLED: 'true' }), false)
})
