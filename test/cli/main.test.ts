import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { COMMANDS, RUN_ENTRY } from '../../src/cli/commands/table.js'
import { main } from '../../src/cli/main.js'
import { EnsoError } from '../../src/core/index.js'
import { fakeIo } from '../support/cli-io.js'
import { partsWith } from '../support/cli-parts.js'
import { assertGolden } from '../support/golden.js'
import { importsOf } from '../support/source-imports.js'

async function runMain(argv: readonly string[], parts = partsWith()) {
  const { io, out, err } = fakeIo({ argv })
  const exitCode = await main(io, parts)
  return { exitCode, out: out.text(), err: err.text() }
}

test('the version is printed bare in each spelling', async () => {
  for (const flag of ['--version', '-V', '-v']) {
    assert.deepEqual(await runMain([flag]), { exitCode: 0, out: '1.2.3\n', err: '' })
  }
})

test('the first page of help fits a screen and shows commands, examples and exit codes', async () => {
  for (const argv of [['--help'], ['-h'], ['help']]) {
    const { exitCode, out, err } = await runMain(argv)
    assert.deepEqual([exitCode, err], [0, ''])
    assert.match(out, /Exit codes/)
    assert.match(out, /Examples/)
    assert.match(out, /threads/)
    assert.ok(out.split('\n').length <= 40, 'more than a screen')
    assertGolden('cli/help.txt', out)
    for (const line of out.split('\n')) assert.ok(line.length <= 90, line)
  }
})

test('each command has its own help', async () => {
  assert.match((await runMain(['threads', '--help'])).out, /threads rm ID/)
  assert.match((await runMain(['help', 'models'])).out, /enso models/)
  assert.match((await runMain(['run', '-h'])).out, /--idle-timeout TIME/)
})

test('an unknown flag is exit 2 with a suggestion on standard error and nothing on standard output', async () => {
  const { exitCode, out, err } = await runMain(['--max-turn', '3', 'x'])
  assert.deepEqual([exitCode, out], [2, ''])
  assert.equal(err, 'enso: unknown flag --max-turn\n  did you mean --max-turns?\n')
})

test('in JSON a refused command line is one result line beside the words', async () => {
  for (const argv of [
    ['--json', '--nonsense', 'x'],
    ['run', '--output-format', 'json', '--timeout', 'soon', 'x'],
    ['--json', '-c', '-r', 'abc'],
  ]) {
    const { exitCode, out, err } = await runMain(argv)
    assert.equal(exitCode, 2)
    assert.match(err, /^enso: /)
    const lines = out.trimEnd().split('\n')
    assert.equal(lines.length, 1)
    const result = JSON.parse(lines[0]!) as Record<string, unknown>
    assert.deepEqual([result['type'], result['outcome'], result['exitCode']], ['result', 'usage', 2])
  }
})

test('a configuration that can not be read ends a run before anything else, named', async () => {
  const parts = partsWith({
    userConfig: () =>
      Promise.reject(new EnsoError('bad-config', '/x/config.json: line 3, column 5: no', { hint: 'fix it' })),
  })
  const text = await runMain(['hello'], parts)
  assert.deepEqual([text.exitCode, text.out], [2, ''])
  assert.match(text.err, /config\.json: line 3, column 5[^]*fix it/)
  const json = await runMain(['--json', 'hello'], parts)
  const result = JSON.parse(json.out) as Record<string, unknown>
  assert.deepEqual([result['outcome'], result['exitCode'], result['hint']], ['usage', 2, 'fix it'])
})

test('a bug is one line with where the log is, and exit 1', async () => {
  const parts = partsWith({ userConfig: () => Promise.reject(new TypeError('x is not\na function\u001b[31m')) })
  const { exitCode, err } = await runMain(['hello'], parts)
  assert.equal(exitCode, 1)
  assert.match(err, /internal error/)
  assert.match(err, /\/nowhere\/logs/)
  assert.ok(!err.includes('\u001b'))
})

test('a word that is a command can still be a prompt', async () => {
  const seen = partsWith({ userConfig: () => Promise.reject(new EnsoError('bad-config', 'reached the run')) })
  assert.match((await runMain(['run', 'threads'], seen)).err, /reached the run/)
  assert.match((await runMain(['exec', 'models', 'are'], seen)).err, /reached the run/)
  assert.match((await runMain(['--', 'threads'], seen)).err, /reached the run/)
})

test('a subcommand that is none is refused and says how to send it as a prompt', async () => {
  const { exitCode, err } = await runMain(['threads', 'are', 'slow'])
  assert.equal(exitCode, 2)
  assert.match(err, /threads has no 'are'[^]*enso run threads/)
})

test('every command has help of its own, with examples and the exit codes', async () => {
  for (const { name, hidden } of [RUN_ENTRY, ...COMMANDS]) {
    if (hidden === true) continue
    const { exitCode, out } = await runMain([name, '--help'])
    assert.equal(exitCode, 0)
    assert.match(out, /^Usage\n {2}enso /m)
    assert.match(out, /^Examples\n {2}/m, name)
    assert.match(out, /^Exit codes/m)
    if (['completion', 'config', 'doctor', 'models', 'schema'].includes(name)) assertGolden(`cli/help-${name}.txt`, out)
  }
})

test('every word a command may be followed by is in its usage', async () => {
  for (const { name, words = [], hidden } of COMMANDS) {
    if (hidden === true) continue
    const { out } = await runMain([name, '--help'])
    for (const word of words) assert.match(out, new RegExp(`\\b${word}\\b`), `${name} ${word}`)
  }
})

test('the manual page is made from the same tables', async () => {
  const { exitCode, out } = await runMain(['help', '--man'])
  assert.equal(exitCode, 0)
  assert.match(out, /^\.TH ENSO 1 "" "enso 1\.2\.3"/)
  for (const name of COMMANDS.filter((command) => command.hidden !== true).map((command) => command.name)) {
    assert.match(out, new RegExp(`^\\.SS ${name}$`, 'm'))
  }
  for (const line of out.split('\n')) assert.doesNotMatch(line, /^['.](?!(TH|SH|SS|TP|br)\b)/)
  assert.match(out, /^\.SH EXIT STATUS\n\.TP\n\\fB0\\fR\ndone: settled/m)
  assert.match(out, /^\\fBENSO_MODEL\\fR$/m)
  const set = spawnSync('groff', ['-man', '-Tutf8', '-ww'], { input: out, encoding: 'utf8' })
  if (set.error === undefined) assert.deepEqual([set.status, set.stderr], [0, ''])
})

test('a command may have its flags before its name; what has other flags is a prompt', async () => {
  const reached = partsWith({ userConfig: () => Promise.reject(new EnsoError('bad-config', 'reached the run')) })
  assert.match((await runMain(['-q', 'demo', 'and', 'more'], reached)).err, /the demo takes no prompt/)
  assert.match((await runMain(['--json', '-C', '/x', 'threads', 'are', 'slow'], reached)).err, /threads has no 'are'/)
  assert.match((await runMain(['-m', 'a/b', 'threads', 'are', 'slow'], reached)).err, /reached the run/)
  assert.match((await runMain(['-m', 'demo', 'hello'], reached)).err, /reached the run/)
  assert.match((await runMain(['--model=demo', 'hello'], reached)).err, /reached the run/)
  assert.match((await runMain(['-q', '--', 'demo'], reached)).err, /reached the run/)
})

test('a slip of the finger in a command is no prompt', async () => {
  for (const [argv, meant] of [
    [['thread', 'list'], 'enso threads list'],
    [['thread'], 'enso threads'],
    [['modles', '--all'], 'enso models'],
    [['confg', 'get', 'color'], 'enso config get'],
    [['hepl'], 'enso help'],
    [['log', 'tail'], 'enso logs'],
    [['log', 'bundles'], 'enso logs bundle'],
    [['model', 'list'], 'enso models'],
    [['thread', 'lst'], 'enso threads list'],
    [['thread', 'show', '12ab'], 'enso threads show'],
  ] as const) {
    const { exitCode, out, err } = await runMain(argv)
    assert.deepEqual([exitCode, out], [2, ''])
    assert.match(err, new RegExp(`there is no command '${argv[0]}'\\n  did you mean ${meant}\\?.*enso run ${argv[0]}`))
  }
  assert.match((await runMain(['help', 'thread'])).err, /did you mean enso help threads\?/)
  const noTopic = await runMain(['help', 'testing'])
  assert.equal(noTopic.exitCode, 2)
  assert.match(noTopic.err, /there is no help on 'testing'\n.*enso run help testing/)
  const reached = partsWith({ userConfig: () => Promise.reject(new EnsoError('bad-config', 'reached the run')) })
  for (const argv of [
    ['thread', 'safety', 'is', 'broken'],
    ['thread', 'safety'],
    ['log', 'the', 'errors', 'in', 'main.ts'],
    ['log', 'levels', 'explained'],
    ['log', 'states', 'of', 'the', 'machine'],
    ['model', 'training'],
    ['help', 'me', 'with', 'this'],
    ['hello'],
    ['fix'],
    ['Model', 'the', 'data'],
    ['run', 'thread'],
  ]) {
    assert.match((await runMain(argv, reached)).err, /reached the run/, argv.join(' '))
  }
})

test('the process is under guard before a command is loaded that may start others, and only then', async () => {
  for (const [argv, guarded] of [
    [['threads', '--all'], false],
    [['schema'], false],
    [['--help'], false],
    [['help', 'serve'], false],
    [['thread'], false],
    [['doctor', '--nonsense'], true],
    [['run', '--nonsense'], true],
    [['help', 'me', '--nonsense'], true],
    [['--nonsense'], true],
  ] as const) {
    let calls = 0
    await runMain(argv, partsWith({ guardProcess: async () => void calls++ }))
    assert.equal(calls, guarded ? 1 : 0, argv.join(' '))
  }
})

test('a plain command reaches no way to start a process, and no agent library', () => {
  const plain = COMMANDS.filter(({ isPlain }) => isPlain === true).map(({ name }) => name)
  assert.deepEqual(plain, ['threads', 'stats', 'logs', 'schema', 'completion', '__complete'])
  const commands = ['threads', 'stats', 'logs', 'schema', 'completion'].map((name) => `src/cli/commands/${name}.ts`)
  const seen = new Set([...commands, 'src/host/session/session-store.ts', 'src/server/routes/described.ts'])
  for (const file of seen) {
    // Completion reads which flags the other commands have, and runs none of them.
    if (file === 'src/cli/commands/table.ts') continue
    for (const { to, relative } of importsOf(file)) {
      assert.doesNotMatch(to, /child_process|worker_threads|cluster|pi-coding-agent/, `${file} imports ${to}`)
      if (relative) seen.add(to.replace(/\.js$/, '.ts'))
    }
  }
  assert.ok(seen.size > 30)
})
