import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerRules } from '../../../src/cli/run/answers.js'
import { createDialogLedger, type DialogPolicyOptions } from '../../../src/cli/run/dialog-policy.js'
import type { DialogEnd, EnsoDialogSpec } from '../../../src/core/index.js'

function ledgerOf(options: Partial<DialogPolicyOptions> = {}) {
  return createDialogLedger({
    channel: 'lines',
    channelOpen: () => true,
    neverAsk: false,
    rules: undefined,
    timeoutMs: undefined,
    note: () => undefined,
    ...options,
  })
}

const end = (by: DialogEnd['by'], outcome: DialogEnd['outcome'], id = 'q'): DialogEnd => ({
  id,
  method: 'confirm',
  title: 'Sure?',
  outcome,
  by,
})
const confirm: EnsoDialogSpec = { method: 'confirm', title: 'Sure?', message: 'really' }

test('somebody can answer while the channel is open, and nobody when told never to ask', () => {
  let open = true
  const { policy } = ledgerOf({ channelOpen: () => open })
  assert.equal(policy.canAsk(), true)
  open = false
  assert.equal(policy.canAsk(), false)
  assert.equal(ledgerOf({ neverAsk: true }).policy.canAsk(), false)
  assert.equal(ledgerOf({ channel: 'nobody' }).policy.canAsk(), false)
})

test('the end of the channel is for good', () => {
  const ledger = ledgerOf()
  ledger.channelClosed()
  assert.equal(ledger.policy.canAsk(), false)
})

test('a question over lines waits ten minutes, a person for ever, and 0 is for ever', () => {
  assert.equal(ledgerOf().policy.timeoutMs(), 600_000)
  assert.equal(ledgerOf({ channel: 'terminal' }).policy.timeoutMs(), undefined)
  assert.equal(ledgerOf({ timeoutMs: 0 }).policy.timeoutMs(), undefined)
  assert.equal(ledgerOf({ timeoutMs: 1500 }).policy.timeoutMs(), 1500)
})

test('a program that let a question run out without ever a word is not asked again', () => {
  const silent = ledgerOf()
  silent.policy.ended(end('timeout', 'timeout'))
  assert.equal(silent.policy.canAsk(), false)

  const heard = ledgerOf()
  heard.heardFrom()
  heard.policy.ended(end('timeout', 'timeout'))
  assert.equal(heard.policy.canAsk(), true)

  const person = ledgerOf({ channel: 'terminal' })
  person.policy.ended(end('timeout', 'timeout'))
  assert.equal(person.policy.canAsk(), true)
})

test('policy, timeout and the end of input block; a person’s own cancel, a Stop and an asker don’t', () => {
  const blockedBy = (...ends: DialogEnd[]): number => {
    const ledger = ledgerOf()
    for (const each of ends) ledger.policy.ended(each)
    return ledger.blocked()
  }
  assert.equal(blockedBy(end('policy', 'cancelled')), 1)
  assert.equal(blockedBy(end('timeout', 'timeout')), 1)
  assert.equal(blockedBy(end('answer', 'cancelled'), end('answer', 'answered')), 0)
  assert.equal(blockedBy(end('stop', 'aborted'), end('asker', 'aborted'), end('rule', 'answered')), 0)

  const ledger = ledgerOf()
  ledger.unattended('q')
  ledger.policy.ended(end('answer', 'cancelled'))
  assert.equal(ledger.blocked(), 1)
})

test('an answer that arrived just before the end of input counts as an answer', () => {
  const ledger = ledgerOf()
  ledger.unattended('q')
  ledger.policy.ended(end('answer', 'answered'))
  assert.equal(ledger.blocked(), 0)
  assert.equal(ledger.counts().answered, 1)
})

test('every end is counted once, under its own name', () => {
  const ledger = ledgerOf()
  ledger.policy.ended(end('answer', 'answered'))
  ledger.policy.ended(end('rule', 'answered'))
  ledger.policy.ended(end('policy', 'cancelled'))
  ledger.policy.ended(end('timeout', 'timeout'))
  ledger.policy.ended(end('stop', 'aborted'))
  assert.deepEqual(ledger.counts(), { answered: 1, byRule: 1, cancelled: 1, timedOut: 1, aborted: 1 })
})

test('the use of a standing answer is said', () => {
  const notes: string[] = []
  const rules = answerRules({ answers: [{ method: 'confirm', answer: { confirmed: true } }] })
  const { policy } = ledgerOf({ rules, note: (text) => notes.push(text) })
  assert.deepEqual(policy.ruleFor(confirm, { toolName: undefined }), { confirmed: true })
  assert.deepEqual(notes, ['answered by rule 1: Sure?'])
})
