import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLease, type Lease } from '../../src/thread/lease.js'

function setUp(onPublish: (lease: Lease) => void = () => undefined) {
  const said: string[] = []
  const lease: Lease = createLease('t', undefined, {
    publish: ({ kind }) => {
      said.push(kind)
      onPublish(lease)
    },
    status: () => void said.push(lease.held() === undefined ? 'free' : `busy ${lease.generation()}`),
    acquired: () => undefined,
    released: () => void said.push('released'),
  })
  return { lease, said }
}

test('each acquisition raises the generation and ends once', () => {
  const { lease, said } = setUp()
  const first = lease.acquire('run')
  assert.equal(lease.acquire('setting'), undefined)
  assert.ok(first)
  assert.equal(lease.end(first, { kind: 'settled' }), true)
  assert.equal(lease.end(first, { kind: 'settled' }), false)
  const second = lease.acquire('action')
  assert.equal(second?.generation, 2)
  assert.equal(lease.end(first, { kind: 'settled' }), false)
  assert.equal(lease.held(), second)
  assert.deepEqual(said, ['busy 1', 'settled', 'free', 'released', 'busy 2'])
})

test('whoever acts on the end as it is said can’t end it again or take the lease before it is free', () => {
  let again: unknown
  const { lease, said } = setUp((held) => {
    const now = held.held()
    if (now === undefined) return
    again = [held.end(now, { kind: 'settled' }), held.acquire('run')]
  })
  const acquisition = lease.acquire('run')
  assert.ok(acquisition)
  lease.end(acquisition, { kind: 'settled' })
  assert.deepEqual(again, [false, undefined])
  assert.deepEqual(said, ['busy 1', 'settled', 'free', 'released'])
})

test('the end of an acquisition can be waited for, also after it', async () => {
  const { lease } = setUp()
  const acquisition = lease.acquire('run')
  assert.ok(acquisition)
  let over = false
  const ended = lease.ended(acquisition).then(() => (over = true))
  await Promise.resolve()
  assert.equal(over, false)
  lease.end(acquisition, { kind: 'settled' })
  await ended
  await lease.ended(acquisition)
})
