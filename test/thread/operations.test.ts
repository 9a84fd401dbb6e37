import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { ENSO_REFUSAL_CODES, lazyValidator } from '../../src/core/index.js'
import { operationNamed, operations } from '../../src/thread/operations.js'
import { createFakeThreads, settleTicks } from '../support/fake-threads.js'

test('the table names each operation once, with a route of its own and its statuses', () => {
  assert.deepEqual(
    operations.map(({ name, method, path, success }) => `${name}: ${method} ${path} ${success}`),
    [
      'prompt: POST /api/threads/:threadId/prompt 202',
      'dialog: POST /api/threads/:threadId/dialog 204',
      'abort: POST /api/threads/:threadId/abort 200',
      'command: POST /api/threads/:threadId/command 204',
      'configure: POST /api/threads/:threadId/configure 204',
      'mode: POST /api/threads/:threadId/mode 202',
      'commands: GET /api/threads/:threadId/commands 200',
      'history: GET /api/threads/:threadId/history 200',
      'events: GET /api/threads/:threadId/events 200',
      'timeline: GET /api/threads/:threadId/timeline 200',
      'stats: GET /api/threads/:threadId/stats 200',
      'context: GET /api/threads/:threadId/context 200',
      'context-request: GET /api/threads/:threadId/context/:request 200',
      'usage: GET /api/threads/:threadId/usage 200',
      'inspect: GET /api/threads/:threadId 200',
    ],
  )
  for (const operation of operations) {
    assert.equal(operation.result === null, operation.success === 204 || operation.name === 'mode', operation.name)
    assert.ok(operation.refusals.every((code) => code in ENSO_REFUSAL_CODES))
    assert.equal(operationNamed(operation.name), operation)
  }
  assert.equal(operationNamed('toString'), undefined)
})

test('every result of an operation that answers is of the schema the table gives it', async () => {
  const { threads, host } = createFakeThreads()
  await threads.operate('prompt', 'one', { message: 'hi' })
  host.thread('one').reply('hello')
  let checked = 0
  for (const { name, result, body } of operations) {
    if (result === null || (body !== undefined && name !== 'prompt')) continue
    const outcome = await threads.operate(name, 'one', name === 'prompt' ? { message: 'more' } : undefined)
    assert.ok(outcome.ok, name)
    assert.ok(lazyValidator(result).check(outcome.result), `${name}: ${JSON.stringify(outcome.result)}`)
    checked++
  }
  assert.equal(checked, 10)
})

test('whatever body an operation gets, it answers with an outcome of its own table and throws nothing', async () => {
  const { threads } = createFakeThreads()
  await threads.ensure('one')
  const known = fc.constantFrom('id', 'value', 'message', 'images', 'admission', 'name', 'model', 'mode', 'cancelled')
  const body = fc.oneof(fc.anything(), fc.dictionary(known, fc.anything(), { maxKeys: 4 }))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...operations), body, async (operation, given) => {
      const pending = threads.operate(operation.name, 'one', given)
      const outcome = await Promise.race([pending, settleTicks().then(() => undefined)])
      if (outcome === undefined) return
      if (!outcome.ok) {
        assert.ok(operation.refusals.includes(outcome.refusal.code), `${operation.name}: ${outcome.refusal.code}`)
        assert.notEqual(outcome.refusal.reason, '')
      }
    }),
    { numRuns: 400 },
  )
})
