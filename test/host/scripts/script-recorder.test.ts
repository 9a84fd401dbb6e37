import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agent, type AgentEvent } from '@mariozechner/pi-agent-core'
import { type Api, type Model, streamSimple } from '@mariozechner/pi-ai'
import { AuthStorage, ModelRegistry } from '@mariozechner/pi-coding-agent'
import { type EnsoScript, parseScript } from '../../../src/core/index.js'
import { createScriptProvider } from '../../../src/host/scripts/script-provider.js'
import { createScriptRecorder } from '../../../src/host/scripts/script-recorder.js'
import { LOCAL_KEY, type ModelApi, startModelServer } from '../../support/model-server.js'
import { createPlace } from '../../support/run-enso.js'

/** Runs prompts on one agent and gives what it said: every delta and every end, without times and names of models. */
async function said(model: Model<Api>, prompts: number, listen: (agent: Agent) => void = () => {}): Promise<unknown[]> {
  const events: unknown[] = []
  const agent = new Agent({
    initialState: { systemPrompt: '', model, thinkingLevel: 'off', tools: [] },
    streamFn: (...request) => streamSimple(request[0], request[1], { ...request[2], apiKey: LOCAL_KEY, maxRetries: 0 }),
    sessionId: 'thread',
  })
  listen(agent)
  agent.subscribe((event: AgentEvent) => {
    if (event.type === 'message_update') {
      const { type } = event.assistantMessageEvent
      if ('delta' in event.assistantMessageEvent && type !== 'toolcall_delta') {
        events.push([type, event.assistantMessageEvent.contentIndex, event.assistantMessageEvent.delta])
      }
    }
    if (event.type === 'message_end' && event.message.role === 'assistant') {
      const { content, usage, stopReason, errorMessage } = event.message
      const { cost, ...tokens } = usage
      const shown = content.map((part) => ({ ...part, thinkingSignature: undefined }))
      events.push([shown, tokens, cost.total, stopReason, errorMessage])
    }
  })
  for (let prompt = 0; prompt < prompts; prompt++) await agent.prompt(`prompt ${prompt}`)
  return events
}

for (const api of ['openai-completions', 'anthropic-messages'] as const satisfies readonly ModelApi[]) {
  test(`what ${api} said is played again delta for delta, with calls, usage, cost and failures`, async (t) => {
    const server = await startModelServer()
    t.after(() => server.close())
    const place = await createPlace(t, { server, api })
    server.enqueue(
      { thinking: 'hm', deltas: ['one ', 'two\u2028', '🎉'], toolCalls: [{ name: 'gone', args: { a: [1, 'b'] } }] },
      { text: 'after the call', usage: { input: 100, output: 50, cacheRead: 30 }, stopReason: 'length' },
      { status: 401 },
      { deltas: ['half ', 'a reply'], stopReason: 'refusal' },
    )
    const registry = ModelRegistry.create(AuthStorage.inMemory(), `${place.agentDir}/models.json`)
    let script: EnsoScript | undefined
    const recorder = createScriptRecorder({ redact: (text) => text, write: (next) => (script = structuredClone(next)) })
    const live = await said(registry.find('local', 'x')!, 3, recorder.listen)
    assert.equal(script?.turns.length, 4)

    const parsed = parseScript(JSON.stringify(script))
    assert.ok(parsed.ok, parsed.ok ? '' : parsed.reason)
    createScriptProvider(parsed.script).register(registry)
    assert.deepEqual(await said(registry.find('script', 'x')!, 3), live)
  })
}

test('a secret is taken out, also when it lies across chunks, and in the arguments of a call', async (t) => {
  const server = await startModelServer()
  t.after(() => server.close())
  const place = await createPlace(t, { server })
  server.enqueue({
    deltas: ['the key is sk-s', 'ecret-1 ', 'you see'],
    toolCalls: [{ name: 'gone', args: { deep: [{ key: 'sk-secret-1' }] } }],
  })
  server.enqueue({ text: 'fine' })
  const registry = ModelRegistry.create(AuthStorage.inMemory(), `${place.agentDir}/models.json`)
  let script: EnsoScript | undefined
  const redact = (text: string): string => text.replaceAll('sk-secret-1', '[redacted]')
  const recorder = createScriptRecorder({ redact, write: (next) => (script = structuredClone(next)) })
  await said(registry.find('local', 'x')!, 1, recorder.listen)
  assert.ok(!JSON.stringify(script).includes('ecret'))
  const [turn] = script!.turns
  assert.ok(turn && 'text' in turn)
  assert.equal(turn.text, 'the key is [redacted] you see')
})

test('parts in an unusual order keep it', async () => {
  const registry = ModelRegistry.inMemory(AuthStorage.inMemory())
  const content = [{ text: 'a' }, { thinking: 'b' }, { text: 'c' }]
  createScriptProvider({ version: 1, turns: [{ content }] }).register(registry)
  let script: EnsoScript | undefined
  const recorder = createScriptRecorder({ redact: (text) => text, write: (next) => (script = next) })
  await said(registry.find('script', 'script')!, 1, recorder.listen)
  const [turn] = script!.turns
  assert.deepEqual(turn && 'content' in turn ? turn.content : undefined, content)
})
