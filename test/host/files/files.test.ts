import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { findOperations, pathMatcher } from '../../../src/host/tools/files/find-operations.js'
import { createOwnGrepTool } from '../../../src/host/tools/files/grep-tool.js'
import { lineMatcher } from '../../../src/host/tools/files/search-text.js'
import { walkFiles } from '../../../src/host/tools/files/walk.js'

const root = mkdtempSync(join(tmpdir(), 'enso-files-'))
after(() => rmSync(root, { recursive: true, force: true }))

const files: Record<string, string> = {
  '.gitignore': 'build/\n*.log\n/top-only.txt\n',
  'a.ts': 'one\ntwo needle\nthree\n',
  'top-only.txt': 'needle',
  'sub/top-only.txt': 'needle here',
  'sub/.gitignore': '!keep.log\n',
  'sub/keep.log': 'needle kept',
  'sub/drop.log': 'x',
  'build/out.ts': 'needle',
  'node_modules/m/index.js': 'needle',
  '.git/config': 'needle',
  '.hidden/x.ts': 'NEEDLE',
  '.env': 'KEY=needle',
  'image.bin': 'needle\0\0',
}
for (const [path, text] of Object.entries(files)) {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text)
}
symlinkSync('/etc', join(root, 'link'))

const all = async (): Promise<string[]> => {
  const paths: string[] = []
  for await (const path of walkFiles(root)) paths.push(path)
  return paths
}

const grep = async (input: Record<string, unknown>, signal?: AbortSignal): Promise<string> => {
  const tool = createOwnGrepTool(
    root,
    (path) => resolve(root, path),
    (path) => basename(path) !== '.env',
  )
  const result = await tool.execute('id', input, signal, undefined, {} as never)
  return (result.content[0] as { text: string }).text
}

test('the walk gives what git would not ignore, hidden files included, and follows no link', async () => {
  assert.deepEqual(await all(), [
    '.env',
    '.gitignore',
    '.hidden/x.ts',
    'a.ts',
    'image.bin',
    'link',
    'sub/.gitignore',
    'sub/keep.log',
    'sub/top-only.txt',
  ])
})

test('a file search matches names, and paths where the pattern has a slash', async () => {
  const glob = async (pattern: string, limit = 100): Promise<string[]> =>
    (await findOperations.glob(pattern, root, { ignore: [], limit })).map((path) => path.slice(root.length + 1))
  assert.deepEqual(await glob('*.ts'), ['.hidden/x.ts', 'a.ts'])
  assert.deepEqual(await glob('sub/*.txt'), ['sub/top-only.txt'])
  assert.deepEqual(await glob('**/*', 2), ['.env', '.gitignore'])
  assert.equal(pathMatcher('{a,b}.ts')('src/b.ts'), true)
})

test('a text search finds lines with their files and numbers, and leaves secret and binary files out', async () => {
  assert.equal(
    await grep({ pattern: 'need.e' }),
    'a.ts:2: two needle\nsub/keep.log:1: needle kept\nsub/top-only.txt:1: needle here',
  )
})

test('a text search takes case, literal text, context, a glob, one file and a limit', async () => {
  assert.equal(
    await grep({ pattern: 'needle', ignoreCase: true, glob: '*.ts' }),
    '.hidden/x.ts:1: NEEDLE\na.ts:2: two needle',
  )
  assert.equal(await grep({ pattern: 'need.e', literal: true }), 'No matches found')
  assert.equal(
    await grep({ pattern: 'needle', path: 'a.ts', context: 1 }),
    'a.ts-1- one\na.ts:2: two needle\na.ts-3- three',
  )
  assert.match(await grep({ pattern: 'needle', limit: 1 }), /^a\.ts:2: two needle\n\n\[1 matches limit reached/)
})

test('a path that is not there and a pattern that is none are said', async () => {
  await assert.rejects(grep({ pattern: 'x', path: 'nowhere' }), /Path not found/)
  await assert.rejects(grep({ pattern: '(' }), /missing/)
})

test('a pattern that would take a backtracking engine for ever is answered at once', () => {
  assert.equal(lineMatcher('^(a+)+$', {})(`${'a'.repeat(5000)}b`), false)
})

test('a stop ends a search', async () => {
  await assert.rejects(grep({ pattern: 'needle' }, AbortSignal.abort()), /aborted/)
})
