import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { knownModels, rememberModels } from '../../src/cli/completion/known-models.js'
import { main } from '../../src/cli/main.js'
import { COMMANDS } from '../../src/cli/commands/table.js'
import { ensoHome } from '../../src/system/home.js'
import { projectIdOf } from '../../src/system/project-id.js'
import { fakeIo } from '../support/cli-io.js'
import { partsWith } from '../support/cli-parts.js'
import { testFolder } from '../support/fake-cli.js'
import { createFakeStore } from '../support/fake-threads.js'
import { assertGolden } from '../support/golden.js'

interface World {
  readonly folder: string
  readonly home: ReturnType<typeof ensoHome>
  /** The candidates at the end of a line, each without what it means. */
  at(...line: string[]): Promise<string[]>
  enso(...argv: string[]): Promise<{ code: number; out: string; err: string }>
}

async function world(t: TestContext): Promise<World> {
  const folder = await testFolder(t)
  const home = ensoHome({ ENSO_HOME: join(folder, 'home') })
  const stored = (threadId: string, title: string | undefined) => ({
    threadId,
    title,
    projectId: projectIdOf(folder),
    file: `/nowhere/${threadId}.jsonl`,
    cwd: folder,
    messageCount: 2,
    lastActivityAt: '2030-01-01T00:00:00Z',
  })
  const store = createFakeStore([stored('abc-1', 'fix the\ttests'), stored('abd-2', undefined)])
  // Anything else that is asked for, the agent library above all, is a fault.
  const parts = partsWith({ home, store: async () => store })
  const enso: World['enso'] = async (...argv) => {
    const { io, out, err } = fakeIo({ argv, cwd: folder, env: {} })
    const code = await main(io, parts)
    return { code, out: out.text(), err: err.text() }
  }
  return {
    folder,
    home,
    enso,
    async at(...line) {
      const { code, out, err } = await enso('__complete', '--', ...line)
      assert.deepEqual([code, err], [0, ''])
      return out
        .split('\n')
        .filter((one) => one !== '')
        .map((one) => one.split('\t')[0] ?? '')
    },
  }
}

test('commands at the beginning, their own words behind them', async (t) => {
  const { at } = await world(t)
  const visible = COMMANDS.filter(({ hidden }) => hidden !== true).map(({ name }) => name)
  assert.deepEqual(await at(''), visible)
  assert.deepEqual(await at('mo'), ['models'])
  assert.deepEqual(await at('config', ''), ['get', 'set', 'unset', 'edit', 'path'])
  assert.deepEqual(await at('schema', 're'), ['requests', 'result'])
  assert.deepEqual(await at('-q', 'dem'), ['demo'])
  assert.deepEqual(await at('fix', 'the', ''), [], 'a prompt goes on with what nobody knows')
})

test('flags of the command, and of a run where there is none', async (t) => {
  const { at } = await world(t)
  assert.deepEqual(await at('--output-f'), ['--output-format', '--output-file'])
  assert.ok((await at('hello', '--')).includes('--permission-mode'))
  assert.deepEqual(await at('doctor', '--'), ['--stdio', '--json', '--cwd', '--color'])
})

test('values of flags: their choices, models, threads, the shell’s own paths', async (t) => {
  const { at, home } = await world(t)
  mkdirSync(home.agentDir, { recursive: true })
  writeFileSync(
    join(home.agentDir, 'models.json'),
    JSON.stringify({ providers: { local: { models: [{ id: 'x' }, { id: 'think' }] } } }),
  )
  assert.deepEqual(await at('--permission-mode', 'p'), ['plan'])
  assert.deepEqual(await at('--color=a'), ['--color=auto', '--color=always'])
  assert.deepEqual(await at('-m', ''), ['local/x', 'local/think'])
  assert.deepEqual(await at('--model=local/t'), ['--model=local/think'])
  assert.deepEqual(await at('-r', 'ab'), ['abc-1', 'abd-2'])
  assert.deepEqual(await at('--script', ''), [':files'])
  assert.deepEqual(await at('-C', ''), [':folders'])
  assert.deepEqual(await at('--timeout', ''), [])
})

test('threads behind what is done with them, settings behind config', async (t) => {
  const { at, enso } = await world(t)
  assert.deepEqual(await at('threads', 'show', 'abc'), ['abc-1'])
  assert.deepEqual(await at('threads', 'list', ''), [])
  assert.deepEqual(await at('config', 'set', 'logs.'), ['logs.level', 'logs.retentionDays'])
  const { out } = await enso('__complete', '--', 'threads', 'rm', 'abc')
  assert.equal(out, 'abc-1\tfix the tests\n', 'what a thread is called can not break the lines')
})

test('files after @, and behind --', async (t) => {
  const { at, folder } = await world(t)
  mkdirSync(join(folder, 'docs'))
  writeFileSync(join(folder, 'docs', 'a.md'), '')
  writeFileSync(join(folder, 'done.txt'), '')
  writeFileSync(join(folder, '.hidden'), '')
  assert.deepEqual(await at('@do'), ['@docs/', '@done.txt'])
  assert.deepEqual(await at('read', '@docs/'), ['@docs/a.md'])
  assert.deepEqual(await at('@.h'), ['@.hidden'])
  assert.deepEqual(await at('@nowhere/'), [])
  assert.deepEqual(await at('--json', '--', 'x'), [':files'])
})

test('usable models are remembered from the last listing, privately', async (t) => {
  const { home } = await world(t)
  const model = (id: string, available: boolean) => ({ provider: 'p', id, name: id, contextWindow: 1, available })
  rememberModels(home, [model('a', true), model('b', false)])
  assert.deepEqual(knownModels(home), ['p/a'])
  writeFileSync(join(home.root, 'cache', 'models.json'), '{"broken"')
  assert.deepEqual(knownModels(home), [])
})

test('each shell has a script; another one is refused with the one that was meant', async (t) => {
  const { enso } = await world(t)
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, out } = await enso('completion', shell)
    assert.equal(code, 0)
    assertGolden(`cli/completion.${shell}`, out)
  }
  const { code, out, err } = await enso('completion', 'zhs')
  assert.deepEqual([code, out], [2, ''])
  assert.match(err, /no completion for 'zhs'\n {2}did you mean zsh\?/)
  assert.match((await enso('completion')).err, /needs a shell\n {2}bash, zsh, fish/)
})
