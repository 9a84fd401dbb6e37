import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type LogCase, runLogCase } from '../../scripts/corpus/log.js'
import { inRoot } from '../support/root.js'

const cases = readFileSync(inRoot('test/fixtures/log-cases.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as LogCase)

test('there are cases of logged secrets', () => {
  assert.ok(cases.length >= 20, `${cases.length} cases`)
})

for (const line of cases) {
  test(`a logged secret, case ${line.id}`, async () => {
    const { denied, problems } = await runLogCase(line)
    assert.deepEqual(problems, [])
    assert.equal(denied, line.expect === 'deny')
  })
}

test('the judge of the cases finds a secret that is in the file', async () => {
  const { problems } = await runLogCase({
    id: 'leak',
    input: { secrets: {}, record: { message: 'unknown secret abc-def-123' } },
    expect: 'allow',
    assert: { fileMustNotContain: ['abc-def-123'], fileMustContain: ['nothing of the kind'] },
  })
  assert.deepEqual(problems, ['the file holds abc-def-123', 'the file lacks nothing of the kind'])
})
