import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, type AssistantMessageEvent, type Context, type Model, streamSimple } from '@mariozechner/pi-ai'
import {
  AuthStorage,
  createAgentSession,
  DefaultResourceLoader,
  defineTool,
  ModelRegistry,
  SessionManager,
  SettingsManager,
} from '@mariozechner/pi-coding-agent'
import { Type } from '@sinclair/typebox'
import type { EnsoScriptStep } from '../../../src/core/script.js'
import { readScript } from '../../../src/host/scripts/script-file.js'
import { createScriptProvider } from '../../../src/host/scripts/script-provider.js'
import { createPlace } from '../../support/run-enso.js'

const person = (content: string): Context => ({ messages: [{ role: 'user', content, timestamp: 0 }] })

function modelOf(turns: EnsoScriptStep[], name = 'test'): { model: Model<Api>; registry: ModelRegistry } {
  const registry = ModelRegistry.inMemory(AuthStorage.inMemory())
  const provider = createScriptProvider({ version: 1, name, turns })
  provider.register(registry)
  registry.refresh()
  assert.equal(provider.model, `script/${name}`)
  return { model: registry.find('script', name)!, registry }
}

async function played(
  model: Model<Api>,
  context: Context,
  options: { signal?: AbortSignal; sessionId?: string; onEvent?: (event: AssistantMessageEvent) => void } = {},
): Promise<{ events: AssistantMessageEvent[]; last: AssistantMessageEvent }> {
  const events: AssistantMessageEvent[] = []
  for await (const event of streamSimple(model, context, { sessionId: 'thread', ...options })) {
    events.push(event)
    options.onEvent?.(event)
  }
  return { events, last: events.at(-1)! }
}

test('a turn plays thinking, text in its exact deltas, tool calls, usage and cost, after a registry refresh too', async () => {
  const { model } = modelOf([
    {
      thinking: 'hm',
      text: { deltas: ['a', 'b', ''], delayMs: 1 },
      toolCalls: [
        { name: 'read', args: { path: 'f' } },
        { id: 'mine', name: 'ls', args: {} },
      ],
      usage: { input: 10, output: 4, cacheRead: 2, cost: 0.25 },
    },
  ])
  const { events, last } = await played(model, person('hi'))
  assert.deepEqual(
    events.flatMap((event) => (event.type === 'text_delta' ? event.delta : [])),
    ['a', 'b', ''],
  )
  assert.ok(last.type === 'done' && last.reason === 'toolUse')
  assert.deepEqual(last.message.content, [
    { type: 'thinking', thinking: 'hm' },
    { type: 'text', text: 'ab' },
    { type: 'toolCall', id: 'script_1_1_2', name: 'read', arguments: { path: 'f' } },
    { type: 'toolCall', id: 'mine', name: 'ls', arguments: {} },
  ])
  assert.deepEqual([last.message.usage.totalTokens, last.message.usage.cost.total], [16, 0.25])
})

test('an error turn fails with its status after the content it had, and the next request gets the next turn', async () => {
  const { model } = modelOf([{ text: 'so far', error: { message: 'slow down', status: 429 } }, { text: 'now' }])
  const first = (await played(model, person('hi'))).last
  assert.ok(first.type === 'error' && first.error.errorMessage === '429 slow down')
  assert.deepEqual(first.error.content, [{ type: 'text', text: 'so far' }])
  assert.equal((await played(model, person('hi'))).last.type, 'done')
})

test('a request beyond the script fails and says that the script is over', async () => {
  const { model } = modelOf([{ text: 'only' }])
  await played(model, person('hi'))
  const { last } = await played(model, person('hi'))
  assert.ok(last.type === 'error' && /the script is over: its 1 turns/.test(last.error.errorMessage ?? ''))
})

test('parts in an order of their own are played in it', async () => {
  const { model } = modelOf([
    { content: [{ text: 'a' }, { thinking: 'b' }, { toolCall: { id: 'c', name: 'ls', args: {} } }, { text: 'd' }] },
  ])
  const { last } = await played(model, person('hi'))
  assert.ok(last.type === 'done' && last.reason === 'toolUse')
  assert.deepEqual(
    last.message.content.map((part) => part.type),
    ['text', 'thinking', 'toolCall', 'text'],
  )
})

test('a request of no run gets the script’s summaries, and takes no turn', async () => {
  const registry = ModelRegistry.inMemory(AuthStorage.inMemory())
  createScriptProvider({ version: 1, turns: [{ text: 'turn' }], summaries: [{ text: 'summary' }] }).register(registry)
  const model = registry.find('script', 'script')!
  const said = async (options: object): Promise<string> => {
    const message = await streamSimple(model, person('hi'), options).result()
    return message.errorMessage ?? message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  }
  assert.equal(await said({}), 'summary')
  assert.equal(await said({ sessionId: 'a' }), 'turn')
  assert.match(await said({}), /its 1 summaries have been played/)
})

test('each thread is played the script from its first turn', async () => {
  const { model } = modelOf([{ text: 'one' }])
  for (const sessionId of ['a', 'b']) assert.equal((await played(model, person('hi'), { sessionId })).last.type, 'done')
  assert.equal((await played(model, person('hi'), { sessionId: 'a' })).last.type, 'error')
})

test('an expectation that does not hold fails the request and shows what was there', async () => {
  const { model } = modelOf([{ expect: { lastPromptIncludes: 'hello' }, text: 'x' }])
  const { last } = await played(model, person('good bye'))
  assert.ok(last.type === 'error')
  assert.match(last.error.errorMessage ?? '', /turn 1 .* expects a prompt with "hello", the last one is "good bye"/)
})

test('a Stop in a pause ends the reply as aborted with what it had', async () => {
  const { model } = modelOf([{ text: { deltas: ['a', 'b'], delayMs: 60_000 } }])
  const stop = new AbortController()
  const onEvent = (event: AssistantMessageEvent): void => {
    if (event.type === 'text_start') stop.abort()
  }
  const { last } = await played(model, person('hi'), { signal: stop.signal, onEvent })
  assert.ok(last.type === 'error' && last.reason === 'aborted')
  assert.deepEqual(last.error.content, [{ type: 'text', text: '' }])
})

test('a Stop reaches a long reply without pauses', async () => {
  const { model } = modelOf([{ text: { deltas: Array.from({ length: 100_000 }, () => 'x') } }])
  const stop = new AbortController()
  let seen = 0
  const onEvent = (event: AssistantMessageEvent): void => {
    if (event.type === 'text_delta' && ++seen === 10) stop.abort()
  }
  const { last } = await played(model, person('hi'), { signal: stop.signal, onEvent })
  assert.ok(last.type === 'error' && last.reason === 'aborted')
  assert.ok(seen < 1000, `${seen} deltas after the Stop`)
})

test('in a session the branch is chosen by the result that the tool really gave', async (t) => {
  const place = await createPlace(t)
  const { model, registry } = modelOf([
    { toolCalls: [{ name: 'pick', args: {} }] },
    {
      branches: [
        { ifLastResultIncludes: 'red', turns: [{ text: 'it is red' }] },
        { ifLastResultIncludes: 'green', turns: [{ text: 'it is' }, { text: 'green' }] },
      ],
    },
    { text: 'after' },
  ])
  const pick = defineTool({
    name: 'pick',
    label: 'pick',
    description: 'picks',
    parameters: Type.Object({}),
    execute: async () => ({ content: [{ type: 'text', text: 'the light is green' }], details: {} }),
  })
  const settingsManager = SettingsManager.inMemory()
  const resourceLoader = new DefaultResourceLoader({
    cwd: place.cwd,
    agentDir: place.agentDir,
    settingsManager,
    noExtensions: true,
    noSkills: true,
    noPromptTemplates: true,
    noThemes: true,
    noContextFiles: true,
  })
  await resourceLoader.reload()
  const { session } = await createAgentSession({
    cwd: place.cwd,
    agentDir: place.agentDir,
    modelRegistry: registry,
    authStorage: registry.authStorage,
    settingsManager,
    resourceLoader,
    sessionManager: SessionManager.inMemory(place.cwd),
    customTools: [pick],
    model,
  })
  t.after(() => session.dispose())
  for (const [prompt, expected] of [
    ['go', 'it is'],
    ['on', 'green'],
    ['on', 'after'],
  ] as const) {
    await session.prompt(prompt)
    assert.equal(session.getLastAssistantText(), expected)
  }
})

test('no branch that fits fails the request', async () => {
  const { model } = modelOf([{ branches: [{ ifLastResultIncludes: 'x', turns: [{ text: 'x' }] }] }])
  const { last } = await played(model, person('hi'))
  assert.ok(last.type === 'error' && /no branch of the script fits/.test(last.error.errorMessage ?? ''))
})

test('a script file that is missing or wrong is bad input, named', async (t) => {
  const place = await createPlace(t)
  await assert.rejects(readScript(`${place.root}/none.json`), {
    code: 'bad-input',
    message: /none\.json cannot be read/,
  })
  const file = await place.write('wrong.json', '{"version":1,"turns":[{"text":7}]}')
  await assert.rejects(readScript(file), { code: 'bad-input', message: /wrong\.json is refused: turns\.0\.text: / })
})
