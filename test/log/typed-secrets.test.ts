import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EnsoObservation } from '../../src/core/observation.js'
import { createKnownSecrets } from '../../src/log/redact/known-secrets.js'
import { createRedactor } from '../../src/log/redact/redactor.js'
import { createTypedSecrets } from '../../src/log/typed-secrets.js'

function watching() {
  const secrets = createKnownSecrets()
  const typed = createTypedSecrets(secrets)
  const observe = (threadId: string, observation: EnsoObservation): void =>
    typed.observe({ threadId, generation: 1, seq: 1, observation })
  const ask = (threadId: string, id: string, secret: boolean): void =>
    observe(threadId, {
      kind: 'extension-ui-request',
      id,
      method: 'input',
      blocking: true,
      origin: 'run',
      dialog: { method: 'input', title: 'Key', ...(secret ? { secret: true as const } : {}) },
    })
  const isKnown = (value: string): boolean => createRedactor(secrets).text(value) !== value
  return { typed, observe, ask, isKnown }
}

test('what is typed into a question for a secret is a known secret from then on', () => {
  const { typed, ask, isKnown } = watching()
  ask('t', 'q', true)
  assert.ok(!isKnown('typed-value-1'))
  typed.answering('t', { id: 'q', value: 'typed-value-1' })
  assert.ok(isKnown('typed-value-1'))
})

test('other questions, other threads, other bodies and questions that are over teach nothing', () => {
  const { typed, observe, ask, isKnown } = watching()
  ask('t', 'plain', false)
  ask('t', 'over', true)
  ask('t', 'open', true)
  observe('t', { kind: 'dialog-settled', id: 'over', outcome: 'cancelled' })
  typed.answering('t', { id: 'plain', value: 'typed-value-1' })
  typed.answering('t', { id: 'over', value: 'typed-value-2' })
  typed.answering('other', { id: 'open', value: 'typed-value-3' })
  for (const body of [
    undefined,
    null,
    'x',
    7,
    { id: 'open' },
    { id: 7, value: 'typed-value-4' },
    { id: 'open', cancelled: true },
  ]) {
    typed.answering('t', body)
  }
  for (let n = 1; n <= 4; n++) assert.ok(!isKnown(`typed-value-${n}`))
})
