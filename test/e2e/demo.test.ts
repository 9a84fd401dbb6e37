import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createPlace, jsonLines, type Place, runEnso } from '../support/run-enso.js'
import { openEnsoTerminal } from '../support/terminal.js'

const copies = (place: Place): string[] => readdirSync(place.tmp).filter((name) => name.startsWith('enso-demo-'))

interface Line {
  readonly type: string
  readonly observation?: {
    readonly kind: string
    readonly toolName?: string
    readonly text?: string
    readonly isError?: boolean
  }
  readonly [key: string]: unknown
}

test('the demo without a terminal turns red tests green, answered by the shipped answers, and exits 0', async (t) => {
  const place = await createPlace(t)
  const end = await runEnso(t, place, ['demo'])
  assert.equal(end.exitCode, 0, end.stderr)
  assert.match(end.stdout, /All three fail[\s\S]*All three tests pass: .* undefined, as you chose/)
  assert.match(end.stderr, /✖ the average counts[\s\S]*answered by rule 1: Empty list[\s\S]*✔ the average counts/)
  assert.deepEqual(copies(place), [], 'the copy is gone')
})

test('the demo needs no home: it makes what it needs of it', async (t) => {
  const place = await createPlace(t)
  const home = join(place.root, 'elsewhere')
  const end = await runEnso(t, place, ['demo', '--quiet'], { env: { ENSO_HOME: home } })
  assert.equal(end.exitCode, 0, end.stderr)
  assert.ok(existsSync(home))
})

test('the demo where nobody may be asked changes nothing and exits 3', async (t) => {
  const place = await createPlace(t)
  const end = await runEnso(t, place, ['demo', '--auto-cancel-dialogs', '--keep'])
  assert.equal(end.exitCode, 3, end.stderr)
  assert.match(end.stdout, /Without an answer I leave the code as it is/)
  const [copy] = copies(place)
  assert.match(readFileSync(join(place.tmp, copy!, 'src/average.js'), 'utf8'), /let i = 1/)
})

test('another answer is another edit', async (t) => {
  const place = await createPlace(t)
  const answers = await place.write(
    'zero.json',
    JSON.stringify({ answers: [{ tool: 'ask_user', answer: { answers: [{ selected: ['zero'] }] } }] }),
  )
  const end = await runEnso(t, place, ['demo', '--keep', '--answers', answers])
  assert.equal(end.exitCode, 0, end.stderr)
  const [copy] = copies(place)
  assert.match(readFileSync(join(place.tmp, copy!, 'src/average.js'), 'utf8'), /length === 0\) return 0/)
})

test('the demo as JSON lines ends with one result', async (t) => {
  const place = await createPlace(t)
  const end = await runEnso(t, place, ['demo', '--json'])
  assert.equal(end.exitCode, 0, end.stderr)
  const lines = jsonLines<Line>(end.stdout)
  assert.equal(lines[0]!.type, 'hello')
  assert.deepEqual(
    lines.filter(({ type }) => type === 'result').map((line) => [line['outcome'], line['exitCode'], line['turns']]),
    [['done', 0, 6]],
  )
})

test('the demo on a terminal asks the person, and the answer decides the edit', async (t) => {
  const place = await createPlace(t)
  const terminal = await openEnsoTerminal(t, place, ['demo', '--keep'], { columns: 100, rows: 50 })
  await terminal.waitFor(/● undefined[^]*○ zero/)
  await terminal.press('Down', 'Enter')
  await terminal.waitFor('Send these answers?')
  await terminal.press('Enter')
  await terminal.waitFor(/All three tests pass: .* average to 0, as you chose/)
  assert.equal(await terminal.exitCode(), 0)
  const [copy] = copies(place)
  assert.match(readFileSync(join(place.tmp, copy!, 'src/average.js'), 'utf8'), /length === 0\) return 0/)
})

test('the demo takes no prompt', async (t) => {
  const place = await createPlace(t)
  const end = await runEnso(t, place, ['demo', 'and', 'more'])
  assert.equal(end.exitCode, 2)
  assert.match(end.stderr, /takes no prompt/)
  const unknown = await runEnso(t, place, ['demo', '--json', '--unknown'])
  assert.equal(unknown.exitCode, 2)
  assert.equal(jsonLines<Line>(unknown.stdout).at(-1)?.type, 'result')
})
