import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { createReadTool } from '@mariozechner/pi-coding-agent'
import { readIfLong, refuseLongEdit } from '../../../src/host/tools/files/bounded-files.js'
import { readLongText } from '../../../src/host/tools/files/long-text.js'

const MB = 1024 * 1024

function folder(t: TestContext): (name: string, content?: string | Buffer, size?: number) => string {
  const dir = mkdtempSync(join(tmpdir(), 'enso-long-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return (name, content = '', size) => {
    const file = join(dir, name)
    writeFileSync(file, content)
    if (size !== undefined) truncateSync(file, size)
    return file
  }
}

const lines = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n')

const TEXTS: Readonly<Record<string, string>> = {
  empty: '',
  'one line': 'only this',
  'a line feed at the end': 'one\ntwo\n',
  'many short lines': lines(5000, (n) => `${n}`),
  'many long lines': lines(3000, (n) => `${n} ${'word '.repeat(n % 60)}`),
  'characters of several bytes': lines(4000, (n) => `${n} größer 漢字 😀`.repeat(1 + (n % 7))),
  'a first line that is too long': `${'x'.repeat(200_000)}\nshort\n`,
  'lines of exactly the limit': `${'y'.repeat(50 * 1024)}\n${'z'.repeat(50 * 1024 + 1)}\nend`,
  'carriage returns': 'one\r\ntwo\r\n',
  'more than is read at once': lines(60_000, (n) => `line ${n} ${'pad '.repeat(n % 11)}`),
}

for (const [name, text] of Object.entries(TEXTS)) {
  test(`a long text is read as the agent library reads it: ${name}`, async (t) => {
    const file = folder(t)('text.txt', text)
    const library = createReadTool('/')
    for (const [offset, limit] of [[], [1, 1], [2], [2, 3], [3, 2], [1500, 1000], [4999], [90_000, 5], [0, 4]]) {
      const input = {
        path: file,
        ...(offset === undefined ? {} : { offset }),
        ...(limit === undefined ? {} : { limit }),
      }
      const theirs = await library.execute('id', input).then(
        ({ content, details }) => ({ text: (content[0] as { text: string }).text, details }),
        (error: Error) => error.message,
      )
      const ours = await readLongText({ ...input, file }, undefined).catch((error: Error) => error.message)
      assert.deepEqual(ours, theirs, `offset ${offset}, limit ${limit}`)
    }
  })
}

test('only a long text is read in pieces; a large image is left to the library, and a larger one refused', async (t) => {
  const make = folder(t)
  const png = Buffer.from('89504e470d0a1a0a0000000d', 'hex')
  const read = (file: string) => readIfLong(file, { path: 'named.txt' }, undefined)
  assert.equal(await read(make('short', 'short')), undefined)
  assert.equal(await read(make('image', png, 8 * MB)), undefined)
  assert.match(
    (await read(make('long', '\n'.repeat(5 * MB))))!.content[0]!.text,
    /^\n+\[Showing lines 1-2000 of 5242881\./,
  )
  await assert.rejects(read(make('huge', png, 65 * MB)), {
    message: 'named.txt is an image of 65.0MB; up to 64.0MB are shown',
  })
  await assert.rejects(read(join(make('x'), '..', 'gone')), { code: 'ENOENT' })
})

test('what has no end is not read', async (t) => {
  const pipe = join(folder(t)('x'), '../pipe')
  execFileSync('mkfifo', [pipe])
  for (const file of [pipe, '/dev/zero']) {
    await assert.rejects(readIfLong(file, { path: 'it' }, undefined), { message: 'it is not a regular file' })
  }
})

test('reading a long text ends when its run is stopped', async (t) => {
  const file = folder(t)('long', '', 20 * MB)
  await assert.rejects(readLongText({ file, path: file }, AbortSignal.abort()), { message: 'Operation aborted' })
})

test('a file is edited up to a size, and beyond it the model is told what to do instead', async (t) => {
  const make = folder(t)
  await refuseLongEdit(make('some', '', 16 * MB), 'some')
  await assert.rejects(refuseLongEdit(make('more', '', 17 * MB), 'more'), /^Error: more is 17\.0MB; .* Use bash/)
})
