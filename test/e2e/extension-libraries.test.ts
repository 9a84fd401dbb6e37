import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertEnded, checkedLines, createWorld, extension, LOCAL, observationsOf } from '../support/e2e.js'
import { runEnso } from '../support/run-enso.js'

test('an extension file gets the one copy of every library, all of it, beside the process’s own globals', async (t) => {
  const { place } = await createWorld(t)
  const end = await runEnso(t, place, ['--json', ...LOCAL, ...extension('libraries'), '/libraries'])
  assertEnded(end, 'done', 0)
  const lines = checkedLines(end.stdout)
  assert.deepEqual(observationsOf(lines, 'extension-error'), [])
  const told = observationsOf(lines, 'extension-ui-request').find(({ method }) => method === 'notify')
  assert.deepEqual(JSON.parse(String(told?.['message'])), {
    oneCopyOfSessions: true,
    oneCopyOfModels: true,
    oneCopyOfSchemas: true,
    oneCopyOfTheTerminal: true,
    components: 'text6',
    valid: [true, false],
    model: 'anthropic',
    loop: 'function',
    tools: 'read',
    realResponse: true,
    read: 'function',
    waited: 'waited',
  })
})
