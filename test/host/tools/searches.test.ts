// The searches through the real host: with ripgrep on the path, with one that is too old, and without.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { inRoot } from '../../support/root.js'
import { callTool, toolsBench } from './tools-bench.js'

const FILES = {
  '.env': 'TOKEN=needle-secret\n',
  '.env.example': 'TOKEN=needle\n',
  'src/a.js': 'before\nneedle here\nafter\n',
  'config/id_rsa': 'needle-key\n',
}

/** Makes the path a folder of these scripts and nothing else: the library looks along the process's own. */
function withPrograms(t: TestContext, programs: Readonly<Record<string, string>>): string {
  const bin = mkdtempSync(join(tmpdir(), 'enso-bin-'))
  for (const [name, body] of Object.entries(programs))
    writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
  const before = process.env['PATH']
  process.env['PATH'] = bin
  t.after(() => {
    process.env['PATH'] = before
    rmSync(bin, { recursive: true, force: true })
  })
  return bin
}

const RIPGREP = `exec '${process.execPath}' '${inRoot('test/fixtures/programs/rg.js')}' "$@"`
const TOO_OLD = 'echo "error: Found argument --null which was not expected" >&2; exit 2'

const MACHINES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'with ripgrep': { rg: RIPGREP },
  'with a ripgrep and an fd that are too old': { rg: TOO_OLD, fd: TOO_OLD },
  'without either': {},
}

for (const [machine, programs] of Object.entries(MACHINES)) {
  test(`grep ${machine} finds what it may; lines of secret files are neither shown nor counted`, async (t) => {
    const PATH = withPrograms(t, programs)
    const bench = await toolsBench(t, { files: FILES, env: { PATH } })
    const { observed } = await callTool(bench, await bench.openFree(), 'grep', { pattern: 'needle' })
    assert.equal(observed.isError, false, observed.text)
    assert.match(observed.text, /^\.env\.example:1: TOKEN=needle$/m)
    assert.match(observed.text, /^src\/a\.js:2: needle here$/m)
    assert.doesNotMatch(observed.text, /needle-secret|needle-key|id_rsa/)
    assert.equal(observed.descriptor?.props['matches'], 2)
  })

  test(`grep ${machine} does not wait for a pipe`, async (t) => {
    const PATH = withPrograms(t, programs)
    const bench = await toolsBench(t, { files: FILES, env: { PATH } })
    execFileSync('/usr/bin/mkfifo', [join(bench.cwd, 'pipe')])
    const call = { pattern: 'needle', path: 'pipe' }
    const { observed } = await callTool(bench, await bench.openFree(), 'grep', call)
    assert.match(observed.text, /pipe is not a regular file/)
  })

  test(`find ${machine} finds files`, async (t) => {
    const PATH = withPrograms(t, programs)
    const bench = await toolsBench(t, { files: FILES, env: { PATH } })
    mkdirSync(join(bench.cwd, 'node_modules/x'), { recursive: true })
    writeFileSync(join(bench.cwd, 'node_modules/x/y.js'), '')
    const { observed } = await callTool(bench, await bench.openFree(), 'find', { pattern: '*.js' })
    assert.deepEqual([observed.isError, observed.text], [false, 'src/a.js'])
  })
}

/** A ripgrep that says these lines, `@` for the end of a path. */
const says = (lines: readonly string[], exit = 0): string =>
  `case "$*" in *--version*) exit 0;; esac
printf '${lines.join('\\n')}\\n' | tr @ '\\000'; exit ${exit}`

test('lines beside a match are shown up to the last match that is', async (t) => {
  const lines = ['a@2:one', 'a@3-after', '--', 'a@8-before', 'a@9:two', 'a@10-after', '--', 'a@20:three']
  const PATH = withPrograms(t, { rg: says(lines), tr: 'exec /usr/bin/tr "$@"' })
  const bench = await toolsBench(t, { files: FILES, env: { PATH } })
  const search = { pattern: 'x', context: 1, limit: 2 }
  const { observed } = await callTool(bench, await bench.openFree(), 'grep', search)
  assert.match(
    observed.text,
    /:2: one\n.*-3- after\n.*-8- before\n.*:9: two\n.*-10- after\n\n\[2 matches limit reached/,
  )
  assert.doesNotMatch(observed.text, /three/)
})

test('a search that could not look everywhere says so beside what it found, and fails where it found nothing', async (t) => {
  for (const [lines, isError, match] of [
    [['a@1:here'], false, /:1: here\n\n\[Not everything was searched: ripgrep ended with 2\]/],
    [[], true, /ripgrep ended with 2/],
  ] as const) {
    const PATH = withPrograms(t, { rg: says(lines, 2), tr: 'exec /usr/bin/tr "$@"' })
    const bench = await toolsBench(t, { files: FILES, env: { PATH } })
    const { observed } = await callTool(bench, await bench.openFree(), 'grep', { pattern: 'x' })
    assert.equal(observed.isError, isError)
    assert.match(observed.text, match)
  }
})
