import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { LOCAL_KEY, startModelServer } from '../support/model-server.js'
import { createPlace, jsonLines, runEnso } from '../support/run-enso.js'

interface Line {
  readonly type: string
  readonly observation?: { readonly kind: string } & Record<string, unknown>
  readonly [key: string]: unknown
}

/** What was seen of a run, without what differs from run to run: times, ids, the model's name. Deltas are joined. */
function seen(output: string): unknown[] {
  const shown: unknown[] = []
  let text = ''
  for (const { type, observation, ...line } of jsonLines<Line>(output)) {
    if (type === 'result') shown.push([line['outcome'], line['text'], line['usage'], line['cost'], line['turns']])
    if (observation?.kind === 'text-delta') text += String(observation['delta'])
    if (observation?.kind === 'message-end') shown.push([observation['role'], observation['usage'], text])
    if (observation?.kind === 'message-end') text = ''
    if (observation?.kind === 'tool-result' && observation['complete']) shown.push(observation['text'])
  }
  return shown
}

test('a recorded run is played again without the endpoint, to the same observations', async (t) => {
  const server = await startModelServer()
  t.after(() => server.close())
  const place = await createPlace(t, { server })
  await place.write('work/notes.txt', 'three words here\n')
  server.enqueue(
    { deltas: ['I look ', 'at it. '], toolCalls: [{ name: 'read', args: { path: 'notes.txt' } }] },
    { text: `It says three words. The key is ${LOCAL_KEY}.`, usage: { input: 100, output: 50 } },
  )
  const file = join(place.root, 'recordings', 'run.json')
  const live = await runEnso(t, place, ['--json', '-m', 'local/x', '--record', file, 'what do the notes say?'])
  assert.equal(live.exitCode, 0, live.stderr)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.ok(!readFileSync(file, 'utf8').includes(LOCAL_KEY), 'the key is left out')

  const requests = server.requests.length
  const again = await runEnso(t, place, ['--json', '--script', file, 'what do the notes say?'])
  assert.equal(again.exitCode, 0, again.stderr)
  assert.equal(server.requests.length, requests)
  const [first, ...rest] = seen(again.stdout)
  assert.ok(first !== undefined && JSON.stringify(rest).includes('three words here'))
  const redacted = JSON.stringify(seen(live.stdout)).replaceAll(LOCAL_KEY, '')
  const marker = /The key is ([^"]*?)\./.exec(JSON.stringify(rest))?.[1] ?? ''
  assert.equal(JSON.stringify(seen(again.stdout)).replaceAll(marker, ''), redacted)
})

test('a script of a file that is none is refused before anything runs', async (t) => {
  const place = await createPlace(t)
  const file = await place.write('bad.json', '{"version":1,"turns":[{"tex":"a"}]}')
  const end = await runEnso(t, place, ['--json', '--script', file, 'hello'])
  assert.equal(end.exitCode, 2, end.stderr)
  assert.match(end.stdout, /turns\.0\.tex/)
})

test('a recording that can not be written is refused before the model is asked', async (t) => {
  const server = await startModelServer()
  t.after(() => server.close())
  const place = await createPlace(t, { server })
  const file = join(await place.write('a-file', ''), 'run.json')
  const end = await runEnso(t, place, ['-m', 'local/x', '--record', file, 'hello'])
  assert.equal(end.exitCode, 2, end.stderr)
  assert.match(end.stderr, /a recording cannot be written to/)
  assert.equal(server.requests.length, 0)
  assert.ok(!existsSync(file))
})
