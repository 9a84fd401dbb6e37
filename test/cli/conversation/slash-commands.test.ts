import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSlashCommands } from '../../../src/cli/conversation/slash-commands.js'
import type { RunDoor } from '../../../src/cli/run/run-door.js'
import type { EnsoThreadCommands } from '../../../src/core/index.js'
import type { OperationOutcome } from '../../../src/thread/operations.js'

const COMMANDS: EnsoThreadCommands = {
  threadId: 't',
  source: 'live',
  commands: [
    {
      name: 'model',
      source: 'host',
      kind: 'select',
      description: 'the model',
      value: 'p/two',
      options: [
        { id: 'p/one', label: 'One' },
        { id: 'p/two', label: 'Two' },
      ],
    },
    { name: 'compact', source: 'host', kind: 'action' },
    { name: 'context', source: 'host', kind: 'view' },
    { name: 'review', source: 'prompt', description: 'review\u001b[31m it' },
  ],
}

function open(answers: Partial<Record<string, OperationOutcome>> = {}, commands = COMMANDS) {
  const calls: (readonly [string, unknown])[] = []
  const door: RunDoor = {
    threadId: 't',
    operate: (name, body) => {
      if (name === 'commands') return Promise.resolve({ ok: true, status: 200, result: commands })
      calls.push([name, body])
      return Promise.resolve(answers[name] ?? { ok: true, status: 204, result: null })
    },
    linked: Promise.resolve(),
    isQuiet: () => true,
    stop: () => undefined,
    finish: () => undefined,
  }
  let asked = 0
  const slash = createSlashCommands()
  const asking = {
    ask: () => {
      asked++
      return Promise.resolve({ kind: 'value' as const, value: 0 as never })
    },
  }
  const run = async (line: string) => {
    await slash.refresh(door)
    return slash.run(line, door, asking)
  }
  return { run, slash, calls, asked: () => asked }
}

test('a command with a value is run with it, by id or label', async () => {
  const { run, calls } = open()
  assert.deepEqual(await run('/model p/one'), { kind: 'done', say: '' })
  await run('/model two')
  assert.deepEqual(calls, [
    ['command', { name: 'model', value: 'p/one' }],
    ['command', { name: 'model', value: 'p/two' }],
  ])
})

test('a command that needs a value asks for it', async () => {
  const { run, calls, asked } = open()
  await run('/model')
  assert.equal(asked(), 1)
  assert.deepEqual(calls, [['command', { name: 'model', value: 'p/one' }]])
})

test('an action has begun, a refusal is said', async () => {
  const begun = open({ command: { ok: true, status: 202, result: null } })
  assert.deepEqual(await begun.run('/compact'), { kind: 'begun' })
  assert.deepEqual(begun.calls, [['command', { name: 'compact' }]])
  const refused = open({ command: { ok: false, refusal: { code: 'refused', reason: 'nothing\u001b[2J to compact' } } })
  assert.deepEqual(await refused.run('/compact'), { kind: 'done', say: 'nothing to compact' })
})

test('a view shows what it knows', async () => {
  const context = { tokens: 500, window: 1000, percent: 50 }
  const { run } = open({ usage: { ok: true, status: 200, result: { context } } })
  assert.deepEqual(await run('/context'), { kind: 'done', say: 'context: 500 of 1000 tokens (50 %)' })
})

test("the thread's own commands are prompts, an unknown one is refused with what was meant", async () => {
  const { run, calls } = open()
  assert.deepEqual(await run('/review src'), { kind: 'prompt' })
  assert.deepEqual(await run('/reveiw'), { kind: 'done', say: 'there is no command /reveiw; did you mean /review?' })
  assert.deepEqual(calls, [])
})

test('before anything is known the host decides what a command is', async () => {
  const { run } = open({}, { threadId: 't', source: 'none', commands: [] })
  assert.deepEqual(await run('/anything'), { kind: 'prompt' })
  const listed = await run('/')
  assert.equal(listed.kind === 'done' && listed.say.includes('more are known once the thread has begun'), true)
})

test('the list is harmless, and names what there is', async () => {
  const { run, slash } = open()
  const listed = await run('/help')
  assert.ok(listed.kind === 'done')
  assert.match(listed.say, /\/review {3}review it/)
  assert.deepEqual(slash.complete('/mo'), ['/model'])
  assert.deepEqual(slash.complete('mo'), [])
  assert.deepEqual(await run('/quit'), { kind: 'leave' })
})
