import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { createWorld } from '../support/e2e.js'
import { runShell, withEnsoOnPath } from '../support/enso-on-path.js'
import { blocksOf, workflowSteps } from '../support/page-blocks.js'
import { inRoot } from '../support/root.js'

const PAGE = 'docs/guide/automation.md'

/** A workspace with the kit in it, enso on the path, and the scripted model as its default. */
async function workspace(t: TestContext) {
  const { server, place } = await createWorld(t)
  cpSync(inRoot('docs/ci'), join(place.cwd, 'docs/ci'), { recursive: true })
  const made = await withEnsoOnPath(place)
  return { server, place: { ...made, env: { ...made.env, ENSO_MODEL: 'local/x' } } }
}

const bash = (command: string) => ({ toolCalls: [{ name: 'bash', args: { command } }] })

function blockWith(text: string): string {
  const found = blocksOf(PAGE, 'sh').find((block) => block.includes(text))
  assert.ok(found, `no block with ${text}`)
  return found
}

test('the Python driver streams the reply, asks its user, and ends as enso ended', async (t) => {
  const { server, place } = await workspace(t)
  server.enqueue(bash('touch made.txt'), { deltas: ['All ', 'done.'] })
  const end = await runShell(t, place, blockWith('driver.py'))
  assert.equal(end.exitCode, 0, end.stderr)
  assert.equal(end.stdout, 'All done.')
  assert.match(end.stderr, /touch made\.txt[^]*Allow once[^]*\ndone, 2 turns\n$/)
  assert.ok(existsSync(join(place.cwd, 'made.txt')))
})

test('the Python driver ends with enso’s exit code where the run fails', async (t) => {
  const { server, place } = await workspace(t)
  server.enqueue({ status: 401 })
  const end = await runShell(t, place, 'python3 docs/ci/driver.py hello', { stdin: { text: '' } })
  assert.equal(end.exitCode, 5, end.stderr)
  assert.match(end.stderr, /provider, 1 turns/)
})

test('the shell driver answers by its rule and cancels every other question', async (t) => {
  const { server, place } = await workspace(t)
  server.enqueue(bash('npm --version > version.txt'), bash('touch other.txt'), { text: 'One of two.' })
  const end = await runShell(t, place, blockWith('driver.sh'))
  assert.equal(end.exitCode, 0, end.stderr)
  assert.equal(end.stdout, 'One of two.')
  assert.match(end.stderr, /\ndone, 3 turns\n$/)
  assert.deepEqual(
    ['version.txt', 'other.txt'].map((name) => existsSync(join(place.cwd, name))),
    [true, false],
  )
})

test('the drivers are about twenty lines', () => {
  for (const [file, code] of [
    ['docs/ci/driver.py', /^(?!\s*$|#|""")/],
    ['docs/ci/driver.sh', /^(?!\s*$|#)/],
  ] as const) {
    const lines = readFileSync(inRoot(file), 'utf8')
      .split('\n')
      .filter((line) => code.test(line))
    assert.ok(lines.length <= 22, `${file}: ${lines.length}`)
  }
})

test('the shell recipe prints the reply, keeps the result, and says what stopped a run', async (t) => {
  const { server, place } = await workspace(t)
  server.enqueue({ text: 'The changelog is up to date.' })
  const done = await runShell(t, place, blockWith('run.sh'))
  assert.deepEqual([done.exitCode, done.stdout], [0, 'The changelog is up to date.\n'], done.stderr)
  assert.equal((JSON.parse(readFileSync(join(place.cwd, 'enso-result.json'), 'utf8')) as { turns: number }).turns, 1)
  server.otherwise(bash('ls'))
  const limited = await runShell(t, place, 'MAX_TURNS=2 docs/ci/run.sh "go on and on"')
  assert.equal(limited.exitCode, 4)
  assert.match(limited.stderr, /stopped at its limit: \{"name":"turns","value":2/)
  server.otherwise({ status: 401 })
  const refused = await runShell(t, place, 'docs/ci/run.sh hello')
  assert.equal(refused.exitCode, 5)
  assert.match(refused.stderr, /the provider: .*401/)
})

test('the workflow’s steps do what they say, one after another', async (t) => {
  const { server, place } = await workspace(t)
  const git = (...args: string[]): void => {
    const end = spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: place.cwd })
    assert.equal(end.status, 0, String(end.stderr))
  }
  git('init', '-q', '-b', 'main')
  await place.write('work/code.js', 'let a = 1\n')
  git('add', '-A')
  git('commit', '-qm', 'one')
  git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  await place.write('work/code.js', 'let a = 2\n')
  git('commit', '-qam', 'two')
  server.enqueue({ text: 'Line 1 changes a.' })
  const summary = join(place.root, 'summary.md')
  const expressions: Readonly<Record<string, string>> = {
    'vars.ENSO_PACKAGE': 'enso.tgz',
    'vars.ENSO_MODEL': 'local/x',
    'secrets.ANTHROPIC_API_KEY': '',
    'github.base_ref': 'main',
  }
  const steps = workflowSteps('docs/ci/github-actions.yml')
  assert.deepEqual(
    steps.map(({ name }) => name),
    ['Install', 'Is everything here?', 'Review', 'Say it', 'Keep what happened'],
  )
  for (const { name, env, run } of steps) {
    const values = Object.entries(env).map(([key, value]) => {
      const [, expression = ''] = /^\$\{\{ (.+) \}\}$/.exec(value) ?? []
      assert.ok(expression in expressions, `${name}: ${value}`)
      return [key, expressions[expression] ?? ''] as const
    })
    const end = await runShell(t, place, run, { env: { ...Object.fromEntries(values), GITHUB_STEP_SUMMARY: summary } })
    assert.equal(end.exitCode, 0, `${name}\n${end.stdout}${end.stderr}`)
    if (name === 'Say it') assert.match(end.stdout, /^done after 1 turns, /)
  }
  assert.equal(readFileSync(summary, 'utf8'), 'Line 1 changes a.\n')
  const asked = JSON.stringify((server.requests[0]!.body as { messages: unknown }).messages)
  assert.match(asked, /Review this change.*<stdin>.*\+let a = 2/)
  assert.ok(existsSync(join(place.cwd, 'enso-run.md')))
  assert.equal(steps.at(-1)?.condition, 'failure()')
})

test('conformance is called as the page says, and one of its rows passes', async (t) => {
  const { place } = await workspace(t)
  const command = blocksOf(PAGE, 'sh').find((block) => block.includes('conformance')) ?? ''
  assert.equal(command, 'node --import tsx scripts/conformance.ts\n')
  const end = await runShell(t, place, `${command.trim()} "provider answers 401"`, { cwd: inRoot(), boundMs: 120_000 })
  assert.match(end.stdout, /^\| row \| enso \| pi \|/)
  assert.match(end.stdout, /enso passes every row\n$/, end.stdout + end.stderr)
})

test('every shell block of the page is one of those run here', () => {
  const known = ['driver.py', 'driver.sh', 'run.sh', 'conformance.ts']
  for (const block of blocksOf(PAGE, 'sh'))
    assert.ok(
      known.some((name) => block.includes(name)),
      block,
    )
})
