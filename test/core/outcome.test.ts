import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AbortCause,
  decideOutcome,
  ENSO_ABORT_EXIT_CODES,
  ENSO_ERROR_OUTCOMES,
  ENSO_EXIT_CODES,
  type EnsoErrorCode,
  EnsoOutcome,
  limitReason,
  type RunFacts,
} from '../../src/core/index.js'

const settled: RunFacts = { replyText: 'Hello.', stopReason: 'stop', dialogsBlocked: 0, deniedAll: false }

const refusal = { message: '401 bad key', provider: 'local', status: 401 }
const limit = { name: 'turns', value: 3, used: 3 } as const
const fault = (code: EnsoErrorCode) => ({ code, message: `about ${code}` })

/** Each fact alone, on a run that is otherwise done, and what it leads to; the strongest first. */
const alone: readonly (readonly [string, Partial<RunFacts>, EnsoOutcome, number])[] = [
  ['SIGHUP', { aborted: 'SIGHUP' }, 'aborted', 129],
  ['SIGINT', { aborted: 'SIGINT' }, 'aborted', 130],
  ['SIGTERM', { aborted: 'SIGTERM' }, 'aborted', 143],
  ['an abort request', { aborted: 'abort' }, 'aborted', 130],
  ['a closed standard output', { aborted: 'stdout-closed' }, 'aborted', 141],
  ['a limit', { limit }, 'limit', 4],
  ['an unknown model', { fault: fault('unknown-model') }, 'usage', 2],
  ['a bad configuration', { fault: fault('bad-config') }, 'usage', 2],
  ['a bad input', { fault: fault('bad-input') }, 'usage', 2],
  ['a sandbox that is not there', { fault: fault('sandbox-unavailable') }, 'usage', 2],
  ['a locked thread', { fault: fault('thread-locked') }, 'busy', 6],
  ['an unknown thread', { fault: fault('thread-unknown') }, 'not-found', 6],
  ['a provider’s refusal', { providerRefusal: refusal }, 'provider', 5],
  ['no model', { fault: fault('no-model') }, 'provider', 5],
  ['an unreadable thread', { fault: fault('thread-unreadable') }, 'error', 1],
  ['a lost lock', { fault: fault('lock-lost') }, 'error', 1],
  ['a fault of the host', { fault: fault('host-fault') }, 'error', 1],
  ['a full disk', { fault: fault('disk') }, 'error', 1],
  ['a failed run', { failed: 'it failed' }, 'error', 1],
  ['a reply cut by length', { stopReason: 'length' }, 'error', 1],
  ['a reply that ended in an error', { stopReason: 'error' }, 'error', 1],
  ['a reply that was cut off', { stopReason: 'aborted' }, 'error', 1],
  ['an empty reply', { replyText: '' }, 'error', 1],
  ['a blank reply', { replyText: ' \n\t' }, 'error', 1],
  ['a question nobody could answer', { dialogsBlocked: 1 }, 'blocked', 3],
  ['every call denied', { deniedAll: true }, 'blocked', 3],
]

test('a settled run with a reply is done', () => {
  assert.deepEqual(decideOutcome(settled), { outcome: 'done', exitCode: 0 })
  assert.deepEqual(decideOutcome({ ...settled, stopReason: 'toolUse' }), { outcome: 'done', exitCode: 0 })
  assert.deepEqual(decideOutcome({ replyText: 'x', dialogsBlocked: 0, deniedAll: false }), {
    outcome: 'done',
    exitCode: 0,
  })
})

for (const [name, facts, outcome, exitCode] of alone) {
  test(`${name} is ${outcome}, exit ${exitCode}`, () => {
    const decision = decideOutcome({ ...settled, ...facts })
    assert.equal(decision.outcome, outcome)
    assert.equal(decision.exitCode, exitCode)
    assert.match(decision.reason ?? '', /\S/)
  })
}

test('of two facts the stronger decides: aborted, limit, a fault before the run, provider, error, blocked', () => {
  const rank: readonly EnsoOutcome[] = [
    'aborted',
    'limit',
    'usage',
    'busy',
    'not-found',
    'provider',
    'error',
    'blocked',
  ]
  let pairs = 0
  for (const [first, firstFacts, firstOutcome] of alone) {
    for (const [second, secondFacts, secondOutcome] of alone) {
      const keys = Object.keys(firstFacts)
      if (Object.keys(secondFacts).some((key) => keys.includes(key))) continue
      const stronger = rank.indexOf(firstOutcome) < rank.indexOf(secondOutcome) ? firstOutcome : secondOutcome
      assert.equal(
        decideOutcome({ ...settled, ...firstFacts, ...secondFacts }).outcome,
        stronger,
        `${first} and ${second}`,
      )
      pairs++
    }
  }
  assert.ok(pairs > 400, `only ${pairs} pairs`)
})

test('every error code leads to the outcome of its table', () => {
  for (const [code, outcome] of Object.entries(ENSO_ERROR_OUTCOMES)) {
    const decision = decideOutcome({ ...settled, fault: fault(code as EnsoErrorCode) })
    assert.deepEqual(decision, { outcome, exitCode: ENSO_EXIT_CODES[outcome], reason: `about ${code}` })
  }
})

test('where no model run was begun, no reply is expected', () => {
  assert.equal(decideOutcome({ ...settled, replyText: '', withoutRun: true }).outcome, 'done')
  assert.equal(
    decideOutcome({ ...settled, replyText: '', withoutRun: true, failed: 'no such command' }).outcome,
    'error',
  )
})

test('a checked structured reply is a reply without text, unless it was cut', () => {
  assert.equal(decideOutcome({ ...settled, replyText: '', structured: true }).outcome, 'done')
  assert.equal(decideOutcome({ ...settled, replyText: '', structured: true, stopReason: 'length' }).outcome, 'error')
})

test('the exit codes are the documented ones', () => {
  assert.deepEqual(ENSO_EXIT_CODES, {
    done: 0,
    error: 1,
    usage: 2,
    blocked: 3,
    limit: 4,
    provider: 5,
    busy: 6,
    'not-found': 6,
    aborted: 130,
  })
  const causes: Record<AbortCause, number> = {
    SIGHUP: 129,
    SIGINT: 130,
    SIGTERM: 143,
    abort: 130,
    'stdout-closed': 141,
  }
  assert.deepEqual(ENSO_ABORT_EXIT_CODES, causes)
  assert.deepEqual(
    EnsoOutcome.anyOf.map((word) => word.const),
    Object.keys(ENSO_EXIT_CODES),
  )
})

test('a limit is said with its name, its value and what was used', () => {
  assert.equal(limitReason(limit), 'the turns limit of 3 turns was reached (3 turns used)')
  assert.equal(
    limitReason({ name: 'time', value: 1500, used: 1502 }),
    'the time limit of 1.5 s was reached (1.502 s used)',
  )
  assert.equal(limitReason({ name: 'turns', value: 1, used: 1 }), 'the turns limit of 1 turn was reached (1 turn used)')
  assert.equal(limitReason({ name: 'cost', value: 0.5, used: 0.61 }), 'the cost limit of $0.5 was reached ($0.61 used)')
})

test('a provider’s refusal is said with who, what class, which status and its own words', () => {
  assert.equal(decideOutcome({ ...settled, providerRefusal: refusal }).reason, 'local: not logged in 401: bad key')
  assert.equal(
    decideOutcome({ ...settled, providerRefusal: { message: 'Connection error.' } }).reason,
    'the provider: request failed: Connection error.',
  )
})
