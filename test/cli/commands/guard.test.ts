import assert from 'node:assert/strict'
import { test } from 'node:test'
import { main } from '../../../src/cli/main.js'
import type { GuardQuestion, GuardVerdict } from '../../../src/core/index.js'
import { fakeIo } from '../../support/cli-io.js'
import { createFakeParts } from '../../support/fake-cli.js'

const DENY: GuardVerdict = { decision: 'deny', rule: 'secret-path', reason: 'it holds credentials' }

async function ask(argv: readonly string[], verdict: GuardVerdict = { decision: 'allow' }) {
  const { io, out, err } = fakeIo({ argv: ['guard', ...argv] })
  const { parts } = createFakeParts({ home: '/nowhere' })
  const asked: { question: GuardQuestion; attended: boolean }[] = []
  const exitCode = await main(io, {
    ...parts,
    guardCheck: async ({ attended }) => ({
      ask(question) {
        asked.push({ question, attended })
        return verdict
      },
    }),
  })
  return { exitCode, out: out.text(), err: err.text(), asked }
}

test('a command after -- is asked about as it stands, its words quoted again where there are several', async () => {
  const one = await ask(['check', '--', 'cat .env | head'])
  assert.deepEqual(one.asked, [{ question: { kind: 'command', command: 'cat .env | head' }, attended: false }])
  const many = await ask(['check', '--attended', '--', 'git', 'commit', '-m', "it's a change"])
  assert.deepEqual(many.asked, [
    { question: { kind: 'command', command: `git commit -m 'it'\\''s a change'` }, attended: true },
  ])
})

test('paths are asked about by --read and --write', async () => {
  assert.deepEqual((await ask(['check', '--read', '.env'])).asked[0]?.question, { kind: 'read', path: '.env' })
  assert.deepEqual((await ask(['check', '--write', '~/x'])).asked[0]?.question, { kind: 'write', path: '~/x' })
})

test('an allowed call is exit 0, a refused one exit 3 with its rule and reason', async () => {
  assert.deepEqual(
    { ...(await ask(['check', '--', 'ls'])), asked: [] },
    { exitCode: 0, out: 'allowed\n', err: '', asked: [] },
  )
  const denied = await ask(['check', '--read', '.env'], DENY)
  assert.equal(denied.exitCode, 3)
  assert.equal(denied.out, 'denied by secret-path: it holds credentials\n')
  const json = await ask(['check', '--json', '--read', '.env'], DENY)
  assert.deepEqual(JSON.parse(json.out), DENY)
})

test('anything but one question is a usage fault', async () => {
  for (const argv of [
    [],
    ['check'],
    ['list'],
    ['check', '--read', 'a', '--write', 'b'],
    ['check', 'ls', '--read', 'a'],
    ['check', '--read', 'a', '--', 'ls'],
  ]) {
    const { exitCode, out, err, asked } = await ask(argv)
    assert.deepEqual([exitCode, out, asked.length], [2, '', 0], argv.join(' '))
    assert.match(err, /guard check takes one of/)
  }
})
