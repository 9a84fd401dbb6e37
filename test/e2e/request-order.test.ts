import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertEnded, checkedLines, createWorld, LOCAL } from '../support/e2e.js'
import { startEnso } from '../support/run-enso.js'

test('prompts and a stop in one write: what was asked before the stop is handed back, nothing of it runs', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'never asked for' })
  server.enqueue({ hang: true })
  const run = startEnso(t, place, ['--json', ...LOCAL, 'hello'], { stdin: 'open' })
  await server.waitForRequest(1)
  const requests = [
    { type: 'prompt', message: 'later', requestId: 'later' },
    { type: 'prompt', message: 'now', admission: 'interrupt', requestId: 'now' },
    { type: 'abort', requestId: 'stop' },
    { type: 'abort', requestId: 'again' },
  ]
  run.send(requests.map((request) => `${JSON.stringify(request)}\n`).join(''))
  const end = await run.ended
  assert.deepEqual(assertEnded(end, 'aborted', 130).restored, ['now', 'later'])
  const replies = checkedLines(end.stdout).filter(({ type }) => type === 'reply')
  assert.deepEqual(
    replies.map(({ requestId, ok, result }) => [requestId, ok, result?.restored ?? null]),
    [
      ['argv', true, null],
      ['later', true, null],
      ['now', true, null],
      ['stop', true, ['now', 'later']],
      ['again', true, []],
    ],
  )
  assert.equal(server.requests.length, 1)
})

test('a stop right behind its prompt is an abort, not an error', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ hang: true })
  const text = '{"type":"prompt","message":"hello"}\n{"type":"abort"}\n'
  const run = startEnso(t, place, ['--json', ...LOCAL], { stdin: { text } })
  const result = assertEnded(await run.ended, 'aborted', 130)
  assert.equal(result.reason, 'stopped by request')
})
