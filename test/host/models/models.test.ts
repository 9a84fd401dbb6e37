import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { EnsoError } from '../../../src/core/index.js'
import type { EnsoErrorCode } from '../../../src/core/index.js'
import { bench } from '../host-bench.js'
import type { ModelServer } from '../../support/model-server.js'

const fault =
  (code: EnsoErrorCode, says?: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof EnsoError, String(error))
    assert.equal(error.code, code)
    if (says) assert.match(`${error.message} ${error.hint ?? ''}`, says)
    return true
  }

test('an unknown model is refused with the nearest names', async (t) => {
  const { open } = await bench(t)
  await assert.rejects(open({ model: 'local/y' }), fault('unknown-model', /local\/x/))
  await assert.rejects(open({ model: 'lokal/thinks:high' }), fault('unknown-model', /local\/think/))
})

test('a bare id is enough where it is unique, and a level may follow it', async (t) => {
  const { open } = await bench(t)
  const thread = await open({ model: 'think:low' })
  assert.deepEqual(thread.hosted.runtime.modelState(), {
    model: { provider: 'local', id: 'think', name: thread.hosted.runtime.modelState().model?.name },
    thinkingLevel: 'low',
    availableThinkingLevels: ['off', 'minimal', 'low', 'medium', 'high'],
  })
})

test('an id that several providers have is refused with their names, unless only one has credentials', async (t) => {
  const shared = (server: ModelServer, apiKey?: string): object => {
    const { providers } = server.modelsJson() as { providers: { local: object } }
    return {
      providers: {
        one: { ...providers.local, apiKey: 'k' },
        two: { ...providers.local, ...(apiKey ? { apiKey } : {}) },
      },
    }
  }
  const { server, agentDir, host, cwd } = await bench(t)
  void server
  void host
  const { createAgentHost } = await import('../../../src/host/agent-host.js')
  writeFileSync(join(agentDir, 'models.json'), JSON.stringify(shared(server, 'k')))
  const both = createAgentHost({ agentDir, env: {} })
  t.after(() => both.dispose())
  const request = {
    threadId: 'several',
    cwd,
    session: { kind: 'ephemeral' as const },
    dialogs: { canAsk: () => true, ruleFor: () => undefined, timeoutMs: () => undefined, ended: () => undefined },
  }
  await assert.rejects(both.openThread({ ...request, model: 'x' }), fault('unknown-model', /one\/x.*two\/x/))
})

test('a thinking level the model does not offer is refused at the opening, and never taken as another one', async (t) => {
  const { open } = await bench(t)
  await assert.rejects(open({ model: 'local/x', thinking: 'high' }), fault('bad-input', /offers: off/))
  await assert.rejects(open({ model: 'local/think', thinking: 'xhigh' }), fault('bad-input'))
})

test('without any credentials there is no model, and the hint says what to do', async (t) => {
  const keys = Object.keys(process.env).filter((name) => /_API_KEY$|_TOKEN$|^AWS_|^GOOGLE_|^GH_/.test(name))
  const saved = keys.map((name) => [name, process.env[name]] as const)
  for (const name of keys) delete process.env[name]
  t.after(() => {
    for (const [name, value] of saved) process.env[name] = value
  })
  const { open } = await bench(t, { models: null })
  await assert.rejects(open(), fault('no-model', /enso login.*enso demo/s))
  await assert.rejects(open({ model: 'anthropic/claude-opus-4-5' }), fault('no-model', /no credentials for/))
  const thread = await open({ allowNoModel: true })
  assert.equal(thread.hosted.runtime.modelState().model, null)
  assert.equal(thread.hosted.runtime.sessionUsage().context, null)
  const refused = await thread.prompt('hello')
  assert.match(refused.accepted ? '' : refused.reason, /no model with credentials: \/login stores a key/)
  assert.equal(thread.all('settled').length, 0)
  const row = thread.hosted.runtime.listCommands().find((one) => one.name === 'model')
  assert.deepEqual(row && { value: row.value, options: row.options }, { value: undefined, options: [] })
})

test('a models.json that can not be read is named, and nothing is opened', async (t) => {
  const { open } = await bench(t, { models: '{ not json' })
  await assert.rejects(open(), fault('bad-config', /models\.json/))
})

test('settings that can not be read are named, and nothing is opened', async (t) => {
  const { open, agentDir } = await bench(t)
  writeFileSync(join(agentDir, 'settings.json'), '[1]')
  await assert.rejects(open(), fault('bad-config', /settings\.json/))
})

test('/model and /thinking change the state, and every follower is told by an observation', async (t) => {
  const { server, open } = await bench(t)
  server.enqueue({ text: 'ok' })
  const thread = await open()
  const { runtime } = thread.hosted
  assert.equal(thread.all('model').length, 1)
  await runtime.runHostCommand({ name: 'model', value: 'local/think' })
  await runtime.runHostCommand({ name: 'thinking', value: 'high' })
  const said = thread.all('model').map((one) => `${one.model?.id}:${one.thinkingLevel}`)
  assert.equal(said[0], 'x:off')
  assert.equal(said.at(-1), 'think:high')
  assert.deepEqual({ ...thread.all('model').at(-1), kind: undefined }, { ...runtime.modelState(), kind: undefined })
  await thread.run('hello')
  assert.equal(server.requests[0]?.body.model, 'think')
  const before = thread.all('model').length
  await runtime.runHostCommand({ name: 'model', value: 'local/think' })
  assert.equal(thread.all('model').length, before)
})

test('a host command that can not be applied is refused with a reason and changes nothing', async (t) => {
  const { open } = await bench(t)
  const thread = await open()
  const { runtime } = thread.hosted
  const before = runtime.modelState()
  await assert.rejects(runtime.runHostCommand({ name: 'model', value: 'local/nope' }), /no model called local\/nope/)
  await assert.rejects(runtime.runHostCommand({ name: 'model' }), /needs a value/)
  await assert.rejects(runtime.runHostCommand({ name: 'thinking', value: 'high' }), /no thinking level high/)
  await assert.rejects(runtime.runHostCommand({ name: 'context' }), /no value to set/)
  await assert.rejects(runtime.runHostCommand({ name: 'nope', value: 'x' }), /no command \/nope/)
  assert.deepEqual(runtime.modelState(), before)
  assert.equal(thread.all('model').length, 1)
})

test('the host lists its own commands by kind, with value and options', async (t) => {
  const { open } = await bench(t)
  const thread = await open({ model: 'local/think:low' })
  const rows = thread.hosted.runtime.listCommands().filter((row) => row.source === 'host')
  const kinds = Object.fromEntries(rows.map((row) => [row.name, row.kind]))
  assert.deepEqual(kinds, {
    model: 'select',
    thinking: 'level',
    login: 'flow',
    logout: 'flow',
    compact: 'action',
    context: 'view',
  })
  const model = rows.find((row) => row.name === 'model')
  assert.equal(model?.value, 'local/think')
  const option = model?.options?.find((one) => one.id === 'local/think')
  assert.equal(option?.detail, 'local')
  assert.deepEqual(option?.thinkingLevels, ['off', 'minimal', 'low', 'medium', 'high'])
  assert.equal(rows.find((row) => row.name === 'thinking')?.value, 'low')
})

test("a choice made in a thread changes no file of the person's", async (t) => {
  const { server, open, agentDir } = await bench(t)
  const { readFileSync } = await import('node:fs')
  const before = readFileSync(join(agentDir, 'settings.json'), 'utf8')
  server.otherwise({ text: 'ok' })
  const thread = await open()
  await thread.hosted.runtime.runHostCommand({ name: 'model', value: 'local/think' })
  await thread.hosted.runtime.runHostCommand({ name: 'thinking', value: 'high' })
  await thread.run('hello')
  await thread.hosted.close()
  assert.equal(readFileSync(join(agentDir, 'settings.json'), 'utf8'), before)
})

test("the person's settings name the default model, and every listed model says whether it could run", async (t) => {
  const { open, host, server } = await bench(t, {
    settings: { defaultProvider: 'local', defaultModel: 'think', defaultThinkingLevel: 'low' },
  })
  void server
  const thread = await open({ model: undefined as never })
  assert.equal(thread.hosted.runtime.modelState().model?.id, 'think')
  assert.equal(thread.hosted.runtime.modelState().thinkingLevel, 'low')
  const models = await host.listModels()
  assert.ok(
    models.some((one) => one.provider === 'local' && one.id === 'x' && one.available && one.contextWindow === 32000),
  )
})

test("a refresh of the registry keeps a provider of the host's own", async (t) => {
  let refresh = (): void => undefined
  const { open } = await bench(t, {
    registerProviders: (registry) => {
      registry.registerProvider('own', {
        api: 'own-api',
        baseUrl: 'http://127.0.0.1:1',
        apiKey: 'k',
        streamSimple: () => {
          throw new Error('asked')
        },
        models: [
          {
            id: 'm',
            name: 'M',
            reasoning: false,
            input: ['text'],
            cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
            contextWindow: 1000,
            maxTokens: 100,
          },
        ],
      })
      refresh = () => registry.refresh()
    },
  })
  const thread = await open({ model: 'own/m' })
  refresh()
  await thread.run('hello')
  assert.equal(thread.all('provider-refused')[0]?.message, 'asked')
})
