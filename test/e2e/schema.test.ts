import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { checkedLines, createWorld, LOCAL } from '../support/e2e.js'
import { runEnso, startEnso } from '../support/run-enso.js'

test('every line of a real conversation over a pipe fits the printed schemas, both ways', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ thinking: 'hm', text: 'one', toolCalls: [{ name: 'ls', args: {} }] }, { text: 'two' })
  const printed = async (topic: string) => {
    const end = await runEnso(t, place, ['schema', topic])
    assert.deepEqual([end.exitCode, end.stderr], [0, ''])
    return new Ajv2020({ strict: false }).compile(JSON.parse(end.stdout) as object)
  }
  const [line, request, result] = await Promise.all(['lines', 'requests', 'result'].map(printed))
  const run = startEnso(t, place, ['--json', ...LOCAL], { stdin: 'open' })
  const requests = [
    { type: 'prompt', requestId: '1', message: 'look around' },
    { type: 'commands', requestId: '2' },
    { type: 'stats', requestId: '3' },
  ]
  for (const one of requests) assert.ok(request!(one), JSON.stringify(request!.errors))
  run.send(requests[0])
  await run.waitForJson<{ observation?: { kind?: string } }>(({ observation }) => observation?.kind === 'settled')
  for (const one of requests.slice(1)) run.send(one)
  run.send({ type: 'dialog', id: 'nobody', cancelled: true })
  await run.waitForJson<{ requestId?: string }>(({ requestId }) => requestId === '3')
  run.endInput()
  const end = await run.ended
  const lines = checkedLines(end.stdout)
  assert.ok(lines.length > 12)
  for (const one of lines) assert.ok(line!(one), `${JSON.stringify(one)}\n${JSON.stringify(line!.errors)}`)
  assert.ok(result!(lines.at(-1)))
})

test('the OpenAPI document needs no server and no agent library', async (t) => {
  const { place } = await createWorld(t)
  const end = await runEnso(t, place, ['schema', 'http'])
  assert.deepEqual([end.exitCode, end.stderr], [0, ''])
  const document = JSON.parse(end.stdout) as Record<string, unknown>
  assert.deepEqual(await new Validator().validate(document), { valid: true })
})
