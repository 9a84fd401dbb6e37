import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomeHint } from '../../../src/cli/run/outcome-hint.js'
import type { RunFacts } from '../../../src/core/index.js'

const facts: RunFacts = { replyText: '', dialogsBlocked: 0, deniedAll: false }

test('what to do fits what happened: a question, denials, a limit, each kind of refusal', () => {
  const refused = (status: number, message: string) =>
    outcomeHint('provider', { ...facts, providerRefusal: { provider: 'local', status, message } }, 't')
  assert.match(outcomeHint('blocked', { ...facts, dialogsBlocked: 1 }, 't') ?? '', /--answers FILE/)
  assert.match(outcomeHint('blocked', { ...facts, deniedAll: true }, 't') ?? '', /--allow-tool RULE/)
  assert.equal(outcomeHint('limit', facts, 'my-thread'), 'go on from here with: enso -r my-thread "…"')
  assert.match(refused(401, '401 no') ?? '', /enso login/)
  assert.match(refused(429, '429 slow down') ?? '', /wait/)
  assert.match(refused(404, '404 no such model') ?? '', /enso models/)
  assert.equal(refused(500, '500 oops'), undefined)
  for (const outcome of ['done', 'error', 'aborted'] as const) assert.equal(outcomeHint(outcome, facts, 't'), undefined)
})
