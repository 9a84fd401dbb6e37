import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { ExtensionAPI } from '@mariozechner/pi-coding-agent'
import { createGuardExtension, MAX_BASH_TIMEOUT_SECONDS } from '../../../src/host/extensions/guards/index.js'
import { createPlainWorld } from './plain-world.js'

type Handler = (event: Record<string, unknown>) => unknown

/** The guards over a stand-in for the library that keeps what is registered and appended. */
async function guards(t: TestContext, appendEntry?: (type: string, data: unknown) => void) {
  const { world } = createPlainWorld(t)
  const handlers = new Map<string, Handler>()
  const entries: { type: string; data: unknown }[] = []
  const denied: string[] = []
  const library = {
    on: (event: string, handler: Handler) => void handlers.set(event, handler),
    appendEntry: appendEntry ?? ((type: string, data: unknown) => void entries.push({ type, data })),
  }
  await createGuardExtension({ world, denied: ({ rule }) => void denied.push(rule) })(
    library as unknown as ExtensionAPI,
  )
  return {
    world,
    entries,
    denied,
    call: (toolName: string, input: Record<string, unknown>) =>
      handlers.get('tool_call')?.({ type: 'tool_call', toolCallId: 'c1', toolName, input }),
    result: (toolName: string, input: Record<string, unknown>, more: Record<string, unknown> = {}) =>
      handlers.get('tool_result')?.({
        type: 'tool_result',
        toolCallId: 'c1',
        toolName,
        input,
        content: [],
        isError: false,
        ...more,
      }),
  }
}

test('a refused call is blocked with its reason and rule, and is an entry of the session', async (t) => {
  const { call, entries, denied } = await guards(t)
  const blocked = call('bash', { command: 'git push' }) as { block: boolean; reason: string }
  assert.equal(blocked.block, true)
  assert.match(blocked.reason, /git push .*\[network-egress\]$/)
  assert.deepEqual(entries, [{ type: 'enso-guard-denial', data: { rule: 'network-egress', toolCallId: 'c1' } }])
  assert.deepEqual(denied, ['network-egress'])
})

test('a refused call stays blocked when the refusal can not be recorded', async (t) => {
  const { call } = await guards(t, () => {
    throw new Error('the disk is full')
  })
  assert.equal((call('bash', { command: 'git push' }) as { block: boolean }).block, true)
})

test('a command gets the default bound in seconds, and none more than the longest', async (t) => {
  const { call } = await guards(t)
  const bound = (input: { command: string; timeout?: unknown }): unknown => {
    assert.equal(call('bash', input), undefined)
    return input.timeout
  }
  assert.equal(bound({ command: 'npm test' }), 120)
  assert.equal(bound({ command: 'npm test', timeout: 600 }), 600)
  assert.equal(bound({ command: 'npm test', timeout: 1e9 }), MAX_BASH_TIMEOUT_SECONDS)
  assert.equal(bound({ command: 'npm test', timeout: 0 }), 120)
  assert.equal(bound({ command: 'npm test', timeout: 'long' }), 120)
})

test('what was read and written by the tools is remembered, and what failed is not', async (t) => {
  const { world, call, result } = await guards(t)
  writeFileSync(join(world.cwd, 'a.ts'), 'x')
  const write = { path: 'a.ts', content: 'y' }
  result('read', { path: 'a.ts' }, { isError: true })
  assert.notEqual(call('write', write), undefined)
  result('read', { path: '@a.ts', offset: 1, limit: 1 })
  assert.equal(call('write', write), undefined)
  writeFileSync(join(world.cwd, 'a.ts'), 'y')
  assert.notEqual(call('write', write), undefined)
  result('write', write)
  assert.equal(call('write', write), undefined)
})

test('two edits of one file in one message are both let through', async (t) => {
  const { world, call, result } = await guards(t)
  writeFileSync(join(world.cwd, 'a.ts'), 'one\ntwo\n')
  result('read', { path: 'a.ts' })
  const edits = ['one', 'two'].map((oldText) => call('edit', { path: 'a.ts', edits: [{ oldText, newText: 'x' }] }))
  assert.deepEqual(edits, [undefined, undefined])
})

test("a search's secret lines go from the result and from what is kept beside it", async (t) => {
  const { result } = await guards(t)
  const text = '.env:1: KEY=planted\nsrc/a.ts:1: KEY\n'
  const changed = result(
    'grep',
    { pattern: 'KEY' },
    { content: [{ type: 'text', text }], details: { truncation: { content: text, truncated: true } } },
  )
  assert.ok(changed !== undefined)
  assert.doesNotMatch(JSON.stringify(changed), /planted/)
  assert.match(JSON.stringify(changed), /src\/a\.ts:1: KEY/)
  assert.equal(result('grep', { pattern: 'KEY' }, { content: [{ type: 'text', text: 'src/a.ts:1: KEY' }] }), undefined)
})
