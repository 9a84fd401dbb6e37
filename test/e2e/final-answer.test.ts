import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertEnded, createWorld, LOCAL } from '../support/e2e.js'
import { runEnso, startEnso } from '../support/run-enso.js'
import { openEnsoTerminal } from '../support/terminal.js'

const SCHEMA = JSON.stringify({
  type: 'object',
  properties: { verdict: { enum: ['good', 'bad'] }, why: { type: 'string' } },
  required: ['verdict', 'why'],
  additionalProperties: false,
})
const answer = { verdict: 'good', why: 'it \u001b[31mholds\u0085' }
const given = { text: 'I have looked.', toolCalls: [{ name: 'final_answer', args: answer }] }
const wrong = { toolCalls: [{ name: 'final_answer', args: { verdict: 'great' } }] }

test('the answer is checked JSON: in the result, and alone on standard output, harmless to a terminal', async (t) => {
  const { server, place } = await createWorld(t)
  await place.write('work/schema.json', SCHEMA)
  server.otherwise(given)
  const args = ['--output-schema', 'schema.json', ...LOCAL, 'judge it']
  const json = assertEnded(await runEnso(t, place, ['--json', ...args]), 'done', 0)
  assert.deepEqual([json.structured, json.text], [answer, 'I have looked.'])
  const one = assertEnded(await runEnso(t, place, ['--output-format', 'json', ...args]), 'done', 0)
  assert.deepEqual(one.structured, answer)

  const text = await runEnso(t, place, args)
  assert.equal(text.exitCode, 0, text.stderr)
  assert.deepEqual(JSON.parse(text.stdout), answer)
  assert.equal(/[\u001b\u0085]/.test(text.stdout), false)
  assert.match(text.stderr, /I have looked\./)
  const quiet = await runEnso(t, place, ['-q', ...args])
  assert.deepEqual([JSON.parse(quiet.stdout), quiet.stderr], [answer, ''])
})

test('what never fits is an error without an answer, in every mode', async (t) => {
  const { server, place } = await createWorld(t)
  await place.write('work/schema.json', SCHEMA)
  server.otherwise(wrong)
  const args = ['--output-schema', 'schema.json', '-o', 'out.json', ...LOCAL, 'judge it']
  const result = assertEnded(await runEnso(t, place, ['--json', ...args]), 'error', 1)
  assert.equal('structured' in result, false)
  assert.match(result.reason ?? '', /no answer that fits the output schema: .*\/verdict/)
  server.otherwise({ text: '{"verdict":"good","why":"as text"}' })
  const text = await runEnso(t, place, args)
  assert.equal(text.exitCode, 1)
  assert.equal(text.stdout, '')
  assert.match(text.stderr, /out\.json was not written: the run ended as error/)
  assert.equal(existsSync(join(place.cwd, 'out.json')), false)
})

test('an unattended run may always answer, whatever its permission mode', async (t) => {
  const { server, place } = await createWorld(t)
  await place.write('work/schema.json', SCHEMA)
  server.otherwise(given)
  for (const mode of ['dontAsk', 'plan', 'default']) {
    const args = ['--json', '--permission-mode', mode, '--output-schema', 'schema.json', ...LOCAL, 'judge it']
    const result = assertEnded(await runEnso(t, place, args), 'done', 0)
    assert.deepEqual([result.structured, result.denials], [answer, {}])
  }
})

test('a schema or a place for the answer that can’t be used is refused before the model is asked', async (t) => {
  const { server, place } = await createWorld(t)
  await place.write('work/schema.json', SCHEMA)
  await place.write('work/text.json', 'not json')
  await place.write('work/odd.json', '{"type":"strin"}')
  for (const [args, reason] of [
    [['--output-schema', 'none.json'], /none\.json can't be read/],
    [['--output-schema', 'text.json'], /text\.json is not JSON/],
    [['--output-schema', 'odd.json'], /output schema is not valid/],
    [['-o', 'nowhere/out.txt'], /can't be written to nowhere\/out\.txt/],
    [['-o', '.'], /can't be written to \./],
    [['-o', '-'], /takes a file/],
  ] as const) {
    const result = assertEnded(await runEnso(t, place, ['--json', ...args, ...LOCAL, 'judge it']), 'usage', 2)
    assert.match(result.reason ?? '', reason)
  }
  assert.equal(server.requests.length, 0)
})

test('-o writes the answer whole, and only when the run is done', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'The answer\nis 4 \u001b[1mbold.' })
  const out = join(place.cwd, 'out.txt')
  const done = await runEnso(t, place, ['-o', 'out.txt', ...LOCAL, 'sum it'], { env: { ...place.env } })
  assert.equal(done.exitCode, 0, done.stderr)
  assert.equal(readFileSync(out, 'utf8'), 'The answer\nis 4 \u001b[1mbold.\n')

  const inode = statSync(out).ino
  execFileSync('chmod', ['640', out])
  symlinkSync('out.txt', join(place.cwd, 'link.txt'))
  server.otherwise({ text: 'newer' })
  assertEnded(await runEnso(t, place, ['--json', '-o', 'link.txt', ...LOCAL, 'sum it']), 'done', 0)
  assert.equal(readFileSync(out, 'utf8'), 'newer\n')
  assert.deepEqual([statSync(out).mode & 0o777, statSync(out).ino === inode], [0o640, false])

  server.otherwise({ text: 'cut', stopReason: 'length' })
  const cut = await runEnso(t, place, ['-o', 'out.txt', ...LOCAL, 'sum it'])
  assert.equal(cut.exitCode, 1)
  assert.equal(readFileSync(out, 'utf8'), 'newer\n')

  server.otherwise({ text: 'half', hang: 'mid' })
  const stopped = startEnso(t, place, ['--json', '-o', 'out.txt', ...LOCAL, 'sum it'])
  await stopped.waitForJson(({ observation }) => (observation as { kind?: string })?.kind === 'text-delta')
  stopped.kill('SIGTERM')
  assert.equal((await stopped.ended).exitCode, 143)
  assert.equal(readFileSync(out, 'utf8'), 'newer\n')
  assert.deepEqual(
    readdirSync(place.cwd).filter((name) => name.endsWith('.tmp')),
    [],
  )
})

test('-o writes to a device as it is', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'gone' })
  assertEnded(await runEnso(t, place, ['--json', '-o', '/dev/null', ...LOCAL, 'sum it']), 'done', 0)
  const full = assertEnded(await runEnso(t, place, ['--json', '-o', '/dev/full', ...LOCAL, 'sum it']), 'error', 1)
  assert.match(full.reason ?? '', /could not be written to \/dev\/full: ENOSPC/)
})

test('on a terminal the answer stands below what was said', async (t) => {
  const { server, place } = await createWorld(t)
  await place.write('work/schema.json', SCHEMA)
  server.otherwise({ ...given, toolCalls: [{ name: 'final_answer', args: { verdict: 'bad', why: 'so' } }] })
  const terminal = await openEnsoTerminal(t, place, ['--output-schema', 'schema.json', ...LOCAL, 'judge it'])
  assert.equal(await terminal.exitCode(), 0)
  assert.match(await terminal.all(), /I have looked\.[^]*\n\{\n {2}"verdict": "bad",\n {2}"why": "so"\n\}\n/)
})
