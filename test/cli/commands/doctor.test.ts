import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { findWorkspaceConfig, readUserConfig } from '../../../src/cli/config/config-files.js'
import { EnsoDoctorReport } from '../../../src/cli/doctor/check.js'
import { programChecks, proxyCheck } from '../../../src/cli/doctor/program.js'
import { stdioChecks, type StreamKind } from '../../../src/cli/doctor/stdio.js'
import { main } from '../../../src/cli/main.js'
import type { CliParts } from '../../../src/cli/parts.js'
import { lazyValidator, type ListedModel } from '../../../src/core/index.js'
import { ensoHome } from '../../../src/system/home.js'
import { thisProcess } from '../../../src/thread/lock-file.js'
import { fakeIo, type FakeIoOptions, fakeTerminal } from '../../support/cli-io.js'
import { partsWith } from '../../support/cli-parts.js'
import { testFolder } from '../../support/fake-cli.js'
import { assertGolden } from '../../support/golden.js'

const model = (provider: string, id: string, available: boolean): ListedModel => ({
  provider,
  id,
  name: id,
  contextWindow: 1000,
  available,
})

/** A library that knows these models, and has stored credentials for these providers. */
function libraryOf(models: readonly ListedModel[], stored: readonly string[] = []): CliParts['agentHost'] {
  const options = stored.map((id) => ({ id, label: id }))
  return async () => ({
    openThread: () => Promise.reject(new Error('a thread was opened')),
    listModels: async () => models,
    dispose: async () => undefined,
    credentials: {
      loginOptions: () => [],
      logoutOptions: () => options,
      login: () => Promise.reject(new Error('a login was asked for')),
      logout: () => Promise.reject(new Error('a logout was asked for')),
    },
  })
}

interface World {
  readonly folder: string
  readonly home: ReturnType<typeof ensoHome>
  readonly bin: string
  run(args?: readonly string[], parts?: Partial<CliParts>, more?: FakeIoOptions): Promise<{ code: number; out: string }>
  report(parts?: Partial<CliParts>, more?: FakeIoOptions): Promise<Map<string, EnsoDoctorReport['checks'][number]>>
}

function program(folder: string, name: string, says: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${says}\n`, { mode: 0o755 })
}

/** A machine with its own programs, home and library. */
async function world(t: TestContext): Promise<World> {
  const folder = await testFolder(t)
  const [bin, cwd] = [join(folder, 'bin'), join(folder, 'work')]
  for (const dir of [bin, cwd]) mkdirSync(dir)
  program(bin, 'bash', 'echo "GNU bash, version 5.2.15(1)-release"')
  program(bin, 'git', 'echo "git version 2.39.5"')
  program(bin, 'rg', 'echo "ripgrep 13.0.0"')
  const home = ensoHome({ ENSO_HOME: join(folder, 'home') })
  const run: World['run'] = async (args = [], given = {}, more = {}) => {
    const parts = partsWith({
      home,
      userConfig: async () => readUserConfig(home.configFile),
      workspaceConfig: async (dir) => findWorkspaceConfig(dir),
      agentHost: libraryOf([model('local', 'x', true), model('far', 'y', false)], ['local']),
      probeSandbox: async () => ({ kind: 'on' }),
      ...given,
    })
    const { io, out } = fakeIo({ argv: ['doctor', ...args], cwd, env: { PATH: bin }, ...more })
    const code = await main(io, parts)
    return { code, out: out.text().replaceAll(folder, '/there') }
  }
  return {
    folder,
    home,
    bin,
    run,
    async report(parts, more) {
      const { out } = await run(['--json'], parts, more)
      const report = JSON.parse(out) as EnsoDoctorReport
      assert.ok(lazyValidator(EnsoDoctorReport).check(report))
      return new Map(report.checks.map((check) => [check.name, check]))
    },
  }
}

/** What depends on the machine the test runs on, taken out. */
const steady = (text: string): string =>
  text.replace(process.versions.node, 'NODE').replace(/^([✓!✗] std\w+ +).*$/gm, '$1STREAM')

test('a machine that has everything is exit 0, and each thing is named', async (t) => {
  const { run } = await world(t)
  const { code, out } = await run()
  assert.equal(code, 0)
  assertGolden('cli/doctor.txt', steady(out))
})

test('a machine that lacks much is exit 1, with what to do about each thing', async (t) => {
  const { run, bin, home, folder } = await world(t)
  mkdirSync(home.root, { mode: 0o755 })
  chmodSync(home.root, 0o755)
  writeFileSync(home.configFile, '{\n  "sandbx": "require"\n}', { mode: 0o600 })
  writeFileSync(join(folder, 'work', 'enso.config.json'), '{}')
  program(bin, 'git', 'exit 127')
  const { code, out } = await run(
    [],
    { agentHost: libraryOf([model('far', 'y', false)]) },
    {
      env: { PATH: `${bin}:`, HTTPS_PROXY: 'not an address' },
    },
  )
  assert.equal(code, 1)
  assertGolden('cli/doctor-faults.txt', steady(out))
})

test('a default model that can not run is a fault, whether unknown or without credentials', async (t) => {
  const { report } = await world(t)
  const check = async (defaultModel: string) =>
    (await report({ userConfig: async () => ({ defaultModel }) })).get('default model')
  assert.equal((await check('local/x:high'))?.status, 'ok')
  assert.equal((await check('x'))?.status, 'ok')
  assert.match((await check('far/y'))?.found ?? '', /no credentials/)
  assert.match((await check('far/z'))?.found ?? '', /unknown/)
})

test('the sandbox is judged by what the person wants of it', async (t) => {
  const { report } = await world(t)
  const off = async () => ({ kind: 'off', reason: 'no namespaces' }) as const
  const status = async (sandbox: 'off' | 'auto' | 'require') =>
    (await report({ probeSandbox: off, userConfig: async () => ({ sandbox }) })).get('sandbox')?.status
  assert.deepEqual([await status('off'), await status('auto'), await status('require')], ['ok', 'warning', 'fault'])
})

test('credentials are named, never shown; nor is the password of a proxy', async (t) => {
  const { report } = await world(t)
  const env = { PATH: '', OPENAI_API_KEY: 'sk-secret-0123456789', HTTPS_PROXY: 'http://me:hunter2@proxy.test:8080' }
  const checks = await report({}, { env })
  assert.equal(checks.get('credentials')?.found, 'stored for local')
  assert.equal(checks.get('proxy')?.found, 'HTTPS_PROXY http://…@proxy.test:8080')
  assert.doesNotMatch(JSON.stringify([...checks.values()]), /hunter2|sk-secret/)
  assert.equal(checks.get('shell')?.status, 'fault')
  assert.equal(checks.get('rg')?.status, 'warning')
})

test('locks are told apart: in use, left over, another machine’s', async (t) => {
  const { report, home } = await world(t)
  const project = join(home.threadsDir, 'p')
  mkdirSync(project, { recursive: true, mode: 0o700 })
  const lock = (name: string, record: object): void =>
    writeFileSync(join(project, `${name}.lock`), JSON.stringify({ at: '2030-01-01T00:00:00Z', nonce: 'ab', ...record }))
  lock('live', thisProcess())
  assert.equal((await report()).get('locks')?.found, '1 in use')
  lock('gone', { pid: 2 ** 22 - 1, host: hostname() })
  assert.match((await report()).get('locks')?.found ?? '', /1 left by processes that are gone, 1 in use/)
  lock('far', { pid: 1, host: 'elsewhere.test' })
  const far = (await report()).get('locks')
  assert.match(far?.found ?? '', /1 of another machine/)
  assert.match(far?.todo ?? '', /--take-over/)
})

test('each kind of stream says what a run would do with it', () => {
  const kinds: readonly StreamKind[] = ['terminal', 'pipe', 'file', 'socket', 'nothing', 'device', 'closed']
  const { io } = fakeIo()
  const lines = kinds.flatMap((kind) =>
    stdioChecks(io, () => kind).map(({ name, status, found }) => `${kind} ${name} ${status}: ${found}`),
  )
  assertGolden('cli/doctor-streams.txt', `${lines.join('\n')}\n`)
})

test('on a terminal questions can be asked', async (t) => {
  const { report } = await world(t)
  assert.match((await report()).get('terminal')?.found ?? '', /^none: questions end at once/)
  const checks = await report({}, { terminal: fakeTerminal(), env: { PATH: '' } })
  assert.match(checks.get('terminal')?.found ?? '', /questions can be asked/)
})

test('an old Node is a fault, a proxy without a scheme too', () => {
  const parts = partsWith()
  assert.equal(programChecks(parts, '18.20.0')[0]?.status, 'fault')
  assert.equal(programChecks(parts, '20.18.9')[0]?.status, 'fault')
  assert.equal(programChecks(parts, '22.1.0')[0]?.status, 'ok')
  assert.equal(proxyCheck({ http_proxy: 'proxy:8080' }).status, 'fault')
  assert.equal(proxyCheck({}).found, 'none')
})
