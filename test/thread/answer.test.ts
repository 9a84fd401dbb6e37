import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OperationOutcome } from '../../src/thread/operation.js'
import { createFakeThreads, followRecorded } from '../support/fake-threads.js'

const codeOf = (outcome: OperationOutcome): string | number => (outcome.ok ? outcome.status : outcome.refusal.code)

async function setUp() {
  const fakes = createFakeThreads()
  await fakes.threads.ensure('one')
  const { follower } = await followRecorded(fakes.threads, 'one')
  const fake = fakes.host.thread('one')
  const answer = async (body: unknown): Promise<string | number> =>
    codeOf(await fakes.threads.operate('dialog', 'one', body))
  return { ...fakes, fake, follower, answer }
}

test('an answer that was offered ends the question for every follower', async () => {
  const { fake, follower, answer } = await setUp()
  const id = fake.ask({ method: 'select', title: 'Which?', options: ['a', 'b'] })
  assert.equal(await answer({ id, value: 'b' }), 204)
  assert.deepEqual(fake.answers, [{ id, value: 'b' }])
  assert.deepEqual(follower.observations().at(-1), { kind: 'dialog-settled', id, outcome: 'answered' })
})

test('an answer that was never offered is refused and the question stays open', async () => {
  const { fake, answer } = await setUp()
  const id = fake.ask({ method: 'select', title: 'Which?', options: ['a', 'b'] })
  const confirm = fake.ask({ method: 'confirm', title: 'Sure?', message: '' })
  assert.equal(await answer({ id, value: 'c' }), 'refused')
  assert.equal(await answer({ id, confirmed: true }), 'refused')
  assert.equal(await answer({ id: confirm, value: 'yes' }), 'refused')
  assert.deepEqual(fake.answers, [])
  assert.deepEqual(
    fake.runtime.openDialogs().map((open) => open.id),
    [id, confirm],
  )
})

test('a cancel needs no value, and a cancel with a value is no answer at all', async () => {
  const { fake, answer } = await setUp()
  const id = fake.ask({ method: 'select', title: 'Which?', options: ['a'] })
  assert.equal(await answer({ id, cancelled: true, value: 'evil' }), 'malformed')
  assert.equal(await answer({ id, cancelled: false }), 'malformed')
  assert.equal(await answer({ id }), 'malformed')
  assert.equal(await answer({ value: 'a' }), 'malformed')
  assert.equal(await answer({ id, cancelled: true }), 204)
  assert.deepEqual(fake.answers, [{ id, cancelled: true }])
})

test('an unknown or answered id is refused and harms nothing', async () => {
  const { fake, answer } = await setUp()
  const id = fake.ask({ method: 'confirm', title: 'Sure?', message: '' })
  assert.equal(await answer({ id: 'other', confirmed: true }), 'unknown-dialog')
  assert.equal(await answer({ id, confirmed: true }), 204)
  assert.equal(await answer({ id, confirmed: true }), 'unknown-dialog')
  assert.equal(fake.answers.length, 1)
})

test('a thread that is not live has no questions', async () => {
  const { threads, host } = createFakeThreads()
  assert.equal(codeOf(await threads.operate('dialog', 'one', { id: 'x', confirmed: true })), 'not-found')
  assert.equal(host.opened.length, 0)
})

test('an answer of several parts, of none, or half a cancel is told what an answer is', async () => {
  const { threads, fake } = await setUp()
  const id = fake.ask({ method: 'select', title: 'Which?', options: ['a', 'b'] })
  const reasonOf = async (body: object): Promise<string> => {
    const outcome = await threads.operate('dialog', 'one', { id, ...body })
    return outcome.ok ? '' : outcome.refusal.reason
  }
  for (const body of [{}, { cancelled: 'yes' }, { cancelled: false }, { cancelled: true, value: 'a' }]) {
    assert.match(await reasonOf(body), /one of value, confirmed, answers, or cancelled: true/)
  }
  assert.equal(await reasonOf({ value: 5 }), 'value: expected string')
  assert.match(await reasonOf({ value: 'a', extra: 1 }), /unknown key extra/)
})
