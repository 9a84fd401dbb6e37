import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { createFindTool } from '../../../src/host/tools/files/find-tool.js'
import { ownGrep } from '../../../src/host/tools/files/own-grep.js'
import { pathMatcher } from '../../../src/host/tools/files/path-glob.js'
import { lineMatcher } from '../../../src/host/tools/files/search-text.js'
import { walk } from '../../../src/host/tools/files/walk.js'

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

const all = async (from = root): Promise<string[]> => {
  const paths: string[] = []
  for await (const { path, isFolder } of walk(from)) paths.push(isFolder ? `${path}/` : path)
  return paths
}

const find = async (input: Record<string, unknown>, signal?: AbortSignal): Promise<string> => {
  const result = await createFindTool(root).execute('id', input, signal, undefined, {} as never)
  return (result.content[0] as { text: string }).text
}

const grep = async (input: { pattern: string } & Record<string, unknown>, signal?: AbortSignal): Promise<string> => {
  const deps = { resolve: (path: string) => resolve(root, path), mayRead: (path: string) => basename(path) !== '.env' }
  return (await ownGrep(input, deps, signal)).text
}

test('the walk gives what git would not ignore, hidden files included, and follows no link', async () => {
  assert.deepEqual(await all(), [
    '.env',
    '.gitignore',
    '.hidden/',
    '.hidden/x.ts',
    'a.ts',
    'image.bin',
    'link',
    'sub/',
    'sub/.gitignore',
    'sub/keep.log',
    'sub/top-only.txt',
  ])
})

test('a walk inside a repository knows the rules above it, unless it begins in what they ignore', async () => {
  assert.deepEqual(await all(join(root, 'sub')), ['.gitignore', 'keep.log', 'top-only.txt'])
  assert.deepEqual(await all(join(root, 'build')), ['out.ts'])
  assert.deepEqual(await all(join(root, 'node_modules')), ['m/', 'm/index.js'])
})

test('a file search matches names, folders among them, and paths where the pattern has a slash', async () => {
  assert.equal(await find({ pattern: '*.ts' }), '.hidden/x.ts\na.ts')
  assert.equal(await find({ pattern: 'sub' }), 'sub/')
  assert.equal(await find({ pattern: 'sub/*.txt' }), 'sub/top-only.txt')
  assert.equal(await find({ pattern: '*.log', path: 'sub' }), 'keep.log')
  assert.equal(await find({ pattern: '**/*', limit: 2 }), '.env\n.gitignore\n\n[2 results limit reached]')
  assert.equal(await find({ pattern: 'nothing' }), 'No files found matching pattern')
  await assert.rejects(find({ pattern: '*', path: 'nowhere' }), /Path not found/)
})

test('a glob takes alternatives, any depth, and what it does not match', () => {
  assert.equal(pathMatcher('{a,b}.ts')('src/b.ts'), true)
  assert.equal(pathMatcher('src/**/*.ts')('x/src/a/b.ts'), true)
  assert.equal(pathMatcher('!*.ts')('src/b.ts'), false)
  assert.equal(pathMatcher('!src/**')('lib/b.ts'), true)
  assert.equal(pathMatcher('!src/**')('src/b.ts'), false)
})

test('a search that is stopped does not go on walking', async () => {
  const controller = new AbortController()
  const seen: string[] = []
  for await (const { path } of walk(root, controller.signal)) {
    seen.push(path)
    controller.abort()
  }
  assert.equal(seen.length, 1)
  await assert.rejects(find({ pattern: '*' }, AbortSignal.abort()), /aborted/)
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
  assert.equal(await grep({ pattern: 'NEED(LE)', ignoreCase: true, glob: '*.txt' }), 'sub/top-only.txt:1: needle here')
  assert.equal(await grep({ pattern: 'needle', glob: '!*.log' }), 'a.ts:2: two needle\nsub/top-only.txt:1: needle here')
  assert.equal(
    await grep({ pattern: 'needle', path: 'a.ts', context: 1 }),
    'a.ts-1- one\na.ts:2: two needle\na.ts-3- three',
  )
  assert.match(await grep({ pattern: 'needle', limit: 1 }), /^a\.ts:2: two needle\n\n\[1 matches limit reached/)
})

test('a link is not read: not where it leads out, and not twice where it leads back', async () => {
  symlinkSync(join(root, 'a.ts'), join(root, 'again.ts'))
  try {
    assert.equal(await grep({ pattern: 'needle', glob: '*.ts' }), 'a.ts:2: two needle')
  } finally {
    rmSync(join(root, 'again.ts'))
  }
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
