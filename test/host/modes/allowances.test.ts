import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { realPathOf } from '../../../src/host/extensions/guards/paths.js'
import { analyseCommand } from '../../../src/host/extensions/modes/analyse.js'
import { ALLOW_FOR_SESSION, createModes } from '../../../src/host/extensions/modes/index.js'
import { permissionRulesOf } from '../../../src/host/extensions/modes/rules-of-person.js'
import { createPlainWorld } from '../guards/plain-world.js'
import { fakeExtensionApi, fakeThread } from './fakes.js'

/** A thread in a mode, with the person's rules, whose every question is answered with an allowance for the session. */
async function started(
  t: TestContext,
  options: { mode?: string; canAsk?: boolean; allow?: readonly string[]; deny?: readonly string[] } = {},
) {
  const { world } = createPlainWorld(t)
  const { mode = 'default', canAsk = true, allow = [], deny = [] } = options
  const thread = fakeThread({ canAsk, permissionMode: mode, answer: ALLOW_FOR_SESSION })
  const pi = fakeExtensionApi([])
  const modes = createModes({
    thread,
    call: {
      cwd: world.cwd,
      realPath: (path) => realPathOf(join(world.cwd, path), world.cwd),
      analyse: (command) => analyseCommand(command, world),
    },
    guardDenies: () => false,
    rules: permissionRulesOf(undefined, allow, deny),
    configured: undefined,
    allowBypass: true,
    now: () => new Date(0),
  })
  await modes.extension(pi.api)
  /** Was this asked about? */
  const asks = async (command: string): Promise<boolean> => {
    const before = thread.questions.length
    await pi.toolCall('bash', { command })
    return thread.questions.length > before
  }
  const refusal = async (command: string): Promise<string | undefined> =>
    (await pi.toolCall('bash', { command }))?.reason
  return { world, thread, pi, asks, refusal }
}

test('what was allowed for the session is that very command, whatever signs stand in it', async (t) => {
  const { asks, pi, thread } = await started(t)
  assert.equal(await asks('node build.js "*"'), true)
  assert.equal(await asks('node build.js "*"'), false)
  for (const other of [
    'node build.js src',
    'node build.js --require ./x.js',
    'node build.js "* b"',
    'CI=1 node build.js "*"',
    'node build.js "*"; node other.js',
    'node build.js "*"\nnode other2.js',
    'node build.js "*" $(node other3.js)',
  ]) {
    assert.equal(await asks(other), true, other)
  }
  assert.equal(await asks('node x.js "a b"'), true)
  assert.equal(await asks('node x.js a b'), true)
  assert.equal(await asks('MODE=a node x.js'), true)
  assert.equal(await asks('MODE=b node x.js'), true)
  const before = thread.questions.length
  await pi.toolCall('write', { path: '*', content: 'x' })
  await pi.toolCall('write', { path: 'other', content: 'x' })
  assert.equal(thread.questions.length, before + 2)
})

test('an allowed command does not bring along what is written beside it', async (t) => {
  const { asks } = await started(t, { allow: ['bash(npm test)'] })
  assert.equal(await asks('npm test | tail -5 2>/dev/null'), false)
  assert.equal(await asks('npm test; echo x > src.js'), true)
  assert.equal(await asks('npm test; echo y > src.js'), false)
  assert.equal(await asks('npm test > other.js'), true)
  assert.equal(await asks('npm test > "$name"'), true)
})

test('where file changes pass, what an allowed command writes beside passes too', async (t) => {
  const { asks } = await started(t, { mode: 'acceptEdits', allow: ['bash(npm test)'] })
  assert.equal(await asks('npm test > test.log'), false)
})

test('where nobody is asked, a written file needs its rule, and the refusal names it', async (t) => {
  const { refusal } = await started(t, { mode: 'dontAsk', canAsk: false, allow: ['bash(npm test)'] })
  assert.equal(await refusal('npm test'), undefined)
  assert.match((await refusal('npm test > test.log')) ?? '', /"bash\(npm test\)" and "bash\(> test\.log\)"/)
  const allowed = await started(t, { mode: 'dontAsk', canAsk: false, allow: ['bash(npm test)', 'bash(> *.log)'] })
  assert.equal(await allowed.refusal('npm test > test.log'), undefined)
})

test('an allowance counts for the workspace: in a folder outside it is asked again', async (t) => {
  const { asks, world } = await started(t, { allow: ['bash(npm test)'] })
  symlinkSync('/tmp', join(world.cwd, 'way-out'))
  assert.equal(await asks(`cd ${world.cwd} && npm test`), false)
  for (const command of ['cd / && npm test', 'cd way-out && npm test', 'cd; npm test']) {
    assert.equal(await asks(command), true, command)
  }
})

test('a denial is not evaded by a variable set before the command or by a path to the program', async (t) => {
  const { refusal } = await started(t, { mode: 'bypassPermissions', deny: ['bash(npm publish*)'] })
  for (const command of ['npm publish', 'FOO=1 npm publish', '/usr/bin/npm publish --tag x', 'timeout 5 npm publish']) {
    assert.match((await refusal(command)) ?? '', /the rule 'bash\(npm publish\*\)' denies it/, command)
  }
  assert.equal(await refusal('npm test'), undefined)
})

test('a question about a write to a pipe or a device does not read it', async (t) => {
  const { world, pi, thread } = await started(t)
  execFileSync('mkfifo', [join(world.cwd, 'pipe')])
  await pi.toolCall('write', { path: 'pipe', content: 'hello' })
  assert.match(thread.questions[0]?.message ?? '', /\+hello/)
})

test('a question about another tool shows what could mislead as signs, and says how much it leaves out', async (t) => {
  const { pi, thread } = await started(t)
  await pi.toolCall('unknown_tool', { text: 'a\u202Eb\u2028c\u{E0041}d\uD800', more: 'x'.repeat(5000) })
  const message = thread.questions[0]?.message ?? ''
  assert.match(message, /a\\u202eb\\u2028c\\u\{e0041\}d\\ud800/)
  assert.match(message, /… and \d+ more characters$/)
})
