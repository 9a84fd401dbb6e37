import assert from 'node:assert/strict'
import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { EnsoConfigReport } from '../../../src/cli/config/effective.js'
import { findWorkspaceConfig } from '../../../src/cli/config/config-files.js'
import { main } from '../../../src/cli/main.js'
import { lazyValidator } from '../../../src/core/index.js'
import { ensoHome } from '../../../src/system/home.js'
import { fakeIo, type FakeIoOptions } from '../../support/cli-io.js'
import { partsWith } from '../../support/cli-parts.js'
import { testFolder } from '../../support/fake-cli.js'
import { assertGolden } from '../../support/golden.js'

interface World {
  readonly file: string
  readonly workspaceFile: string
  /** What was said, with the test's own folder taken out of it. */
  run(args: readonly string[], more?: FakeIoOptions): Promise<{ code: number; out: string; err: string }>
  text(): string
}

async function world(t: TestContext): Promise<World> {
  const folder = await testFolder(t)
  const home = ensoHome({ ENSO_HOME: join(folder, 'home') })
  const cwd = join(folder, 'work')
  mkdirSync(cwd)
  const parts = partsWith({ home, workspaceConfig: async (dir) => findWorkspaceConfig(dir) })
  return {
    file: home.configFile,
    workspaceFile: join(cwd, 'enso.config.json'),
    async run(args, more = {}) {
      const { io, out, err } = fakeIo({ argv: ['config', ...args], cwd, ...more })
      const code = await main(io, parts)
      const plain = (text: string): string => text.replaceAll(folder, '/there')
      return { code, out: plain(out.text()), err: plain(err.text()) }
    },
    text: () => readFileSync(home.configFile, 'utf8'),
  }
}

function given(file: string, text: unknown): void {
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, typeof text === 'string' ? text : JSON.stringify(text))
}

test('config shows every setting in force and who said it', async (t) => {
  const { run, file, workspaceFile } = await world(t)
  given(file, { defaultModel: 'file/m', permissions: { deny: ['bash(git push *)'] }, sandbox: 'auto' })
  given(workspaceFile, { webFetch: { allowedHosts: ['docs.example.com'] }, projects: { roots: ['/srv'] } })
  const env = { ENSO_SANDBOX: 'require', ENSO_LOG_RETENTION_DAYS: '3' }
  const { code, out, err } = await run(['-m', 'flag/m', '--deny-tool', 'write'], { env })
  assert.deepEqual([code, err], [0, ''])
  assertGolden('cli/config.txt', out)
})

test('config without anything is all defaults', async (t) => {
  const { run } = await world(t)
  assertGolden('cli/config-defaults.txt', (await run([])).out)
})

test('config as JSON is of its schema', async (t) => {
  const { run, file } = await world(t)
  given(file, { logs: { retentionDays: 14 } })
  const { out } = await run(['--json'], { env: { ENSO_MODE: 'plan' } })
  const report = JSON.parse(out) as EnsoConfigReport
  assert.ok(lazyValidator(EnsoConfigReport).check(report))
  assertGolden('cli/config.json', `${JSON.stringify(report, null, 2)}\n`)
})

test('a value that is set is private, whole, and got again', async (t) => {
  const { run, file, text } = await world(t)
  assert.deepEqual(await run(['set', 'defaultModel', 'local/x']), { code: 0, out: '', err: '' })
  assert.equal(statSync(file).mode & 0o777, 0o600)
  await run(['set', 'permissions.allow', 'bash(npm test)', 'web_fetch'])
  await run(['set', 'logs.retentionDays', '14'])
  await run(['set', 'projects.roots', '["~/work","/srv"]'])
  assert.deepEqual(JSON.parse(text()), {
    defaultModel: 'local/x',
    permissions: { allow: ['bash(npm test)', 'web_fetch'] },
    logs: { retentionDays: 14 },
    projects: { roots: ['~/work', '/srv'] },
  })
  assert.equal((await run(['get', 'defaultModel'])).out, 'local/x\n')
  assert.equal((await run(['get', 'permissions.allow'])).out, 'bash(npm test)\nweb_fetch\n')
  assert.equal((await run(['get', 'logs.retentionDays', '--json'])).out, '14\n')
  assert.deepEqual(await run(['unset', 'logs.retentionDays']), { code: 0, out: '', err: '' })
  assert.equal('logs' in (JSON.parse(text()) as object), false)
})

test('a setting without a value is exit 1 and nothing on standard output', async (t) => {
  const { run } = await world(t)
  assert.deepEqual(await run(['get', 'defaultModel']), { code: 1, out: '', err: '' })
  assert.deepEqual(await run(['get', 'defaultModel', '--json']), { code: 1, out: 'null\n', err: '' })
  assert.deepEqual(await run(['get', 'sandbox']), { code: 0, out: 'off\n', err: '' })
})

test('what is no setting, or no value of one, is refused and nothing is written', async (t) => {
  const { run, file } = await world(t)
  given(file, { color: 'never' })
  const before = readFileSync(file, 'utf8')
  const refused: readonly (readonly [args: string[], said: RegExp])[] = [
    [['set', 'defaultmodel', 'x'], /no setting 'defaultmodel'\n {2}did you mean defaultModel\?/],
    [['set', 'retentionDays', '3'], /did you mean logs\.retentionDays\?/],
    [['get', 'allow'], /did you mean permissions\.allow\?/],
    [['set', 'sandbox', 'maybe'], /sandbox: expected "off", "auto", "require"/],
    [['set', 'defaultMode', 'plam'], /defaultMode: expected/],
    [['set', 'logs.retentionDays', 'soon'], /logs\.retentionDays: expected integer/],
    [['set', 'permissions.deny', 'bash(', 'x'], /permissions\.deny\.0: expected a rule: tool or tool\(pattern\)/],
    [['set', 'sandbox'], /config set/],
    [['frobnicate'], /config has no 'frobnicate'/],
    [['gte', 'color'], /config gte/],
  ]
  for (const [args, said] of refused) {
    const { code, out, err } = await run(args)
    assert.deepEqual([code, out], [2, ''], args.join(' '))
    assert.match(err, said)
  }
  assert.equal(readFileSync(file, 'utf8'), before)
})

test('a broken file is named with line and column, and not written over', async (t) => {
  const { run, file } = await world(t)
  given(file, '{\n  "color": "never",\n  "sandbx": "auto"\n}')
  for (const args of [[], ['get', 'color'], ['set', 'color', 'always']]) {
    const { code, err } = await run(args)
    assert.equal(code, 2)
    assert.match(err, /config\.json: line 3, column 3: unknown key sandbx \(did you mean sandbox\?\)/)
  }
  assert.match(readFileSync(file, 'utf8'), /sandbx/)
})

test('a variable that says what does not exist is refused as a run would refuse it', async (t) => {
  const { run } = await world(t)
  const { code, err } = await run([], { env: { ENSO_SANDBOX: 'on' } })
  assert.equal(code, 2)
  assert.match(err, /ENSO_SANDBOX=on: sandbox: expected[^]*unset ENSO_SANDBOX/)
})

test('a value that the environment overrules is set, and that is said', async (t) => {
  const { run } = await world(t)
  const { code, err } = await run(['set', 'defaultModel', 'a/b'], { env: { ENSO_MODEL: 'c/d' } })
  assert.deepEqual([code, err], [0, 'ENSO_MODEL is set in the environment and counts before the file\n'])
})

test('a file that is a link stays one', async (t) => {
  const { run, file } = await world(t)
  const real = join(file, '..', '..', 'dotfiles.json')
  given(file, '')
  writeFileSync(real, '{"color":"never"}')
  const { rmSync } = await import('node:fs')
  rmSync(file)
  symlinkSync(real, file)
  await run(['set', 'sandbox', 'auto'])
  assert.ok(lstatSync(file).isSymbolicLink())
  assert.deepEqual(JSON.parse(readFileSync(real, 'utf8')), { color: 'never', sandbox: 'auto' })
})

test('path names the file, edit needs a terminal', async (t) => {
  const { run } = await world(t)
  assert.equal((await run(['path'])).out, '/there/home/config.json\n')
  const { code, err } = await run(['edit'])
  assert.equal(code, 2)
  assert.match(err, /needs a terminal[^]*config set/)
})
