import { setImmediate as nextLoopTurn, setTimeout as pause } from 'node:timers/promises'
import {
  type Api,
  type AssistantMessage,
  type AssistantMessageEventStream,
  type Context,
  createAssistantMessageEventStream,
  type Message,
  type Model,
  type SimpleStreamOptions,
} from '@mariozechner/pi-ai'
import type { ModelRegistry } from '@mariozechner/pi-coding-agent'
import type { EnsoScript, EnsoScriptText, EnsoScriptTurn } from '../core/index.js'
import { createScriptPlayer, type ScriptPlayer } from './script-player.js'

/** The provider's name, so that a script's model is `script/<name>`. */
export const SCRIPT_PROVIDER = 'script'

const SCRIPT_API = 'enso-script'

/** Between this many deltas without a pause others get a turn, a Stop among them. */
const DELTAS_PER_LOOP_TURN = 32

/** A script as a model provider. */
export interface ScriptProvider {
  /** The reference to choose it by: `script/<name>`. */
  readonly model: string
  /** Adds the provider to a registry. It outlives the registry's refresh. */
  register(registry: Pick<ModelRegistry, 'registerProvider'>): void
}

/**
 * A provider that plays a script instead of asking a model: each thread's requests get the script's turns in order.
 *
 * It reaches no network and needs no key. When the script is over, a request fails and says so.
 */
export function createScriptProvider(script: EnsoScript): ScriptProvider {
  const name = script.name ?? 'script'
  const player = createScriptPlayer(script)
  return {
    model: `${SCRIPT_PROVIDER}/${name}`,
    register: (registry) =>
      registry.registerProvider(SCRIPT_PROVIDER, {
        api: SCRIPT_API,
        streamSimple: (model, context, options) => playTurn(player, model, context, options ?? {}),
        // The registry wants both; nothing is ever sent.
        baseUrl: 'http://127.0.0.1:0',
        apiKey: 'enso-script-needs-no-key',
        models: [
          {
            id: name,
            name: `Script ${name}`,
            reasoning: true,
            input: ['text', 'image'],
            cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
            contextWindow: script.contextWindow ?? 128_000,
            maxTokens: 16_384,
          },
        ],
      }),
  }
}

function playTurn(
  player: ScriptPlayer,
  model: Model<Api>,
  context: Context,
  options: SimpleStreamOptions,
): AssistantMessageEventStream {
  const stream = createAssistantMessageEventStream()
  const output: AssistantMessage = {
    role: 'assistant',
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason: 'stop',
    timestamp: Date.now(),
  }
  const fail = (reason: 'error' | 'aborted', message: string): void => {
    Object.assign(output, { stopReason: reason, errorMessage: message })
    stream.push({ type: 'error', reason, error: output })
    stream.end()
  }
  play(player, stream, output, model, context, options).catch((error: unknown) => {
    if (options.signal?.aborted) fail('aborted', 'Request was aborted')
    else fail('error', error instanceof Error ? error.message : String(error))
  })
  return stream
}

/** Rejects with what the reply failed with. */
async function play(
  player: ScriptPlayer,
  stream: AssistantMessageEventStream,
  output: AssistantMessage,
  model: Model<Api>,
  context: Context,
  options: SimpleStreamOptions,
): Promise<void> {
  await options.onPayload?.({ model: model.id, ...context }, model)
  options.signal?.throwIfAborted()
  const next = player.next(options.sessionId ?? '', situationOf(context.messages))
  if (!next.ok) throw new Error(next.reason)
  const { turn, ordinal } = next
  await options.onResponse?.({ status: turn.error?.status ?? 200, headers: {} }, model)
  stream.push({ type: 'start', partial: output })
  if (turn.thinking !== undefined) await playThinking(stream, output, turn.thinking, options.signal)
  if (turn.text !== undefined) await playText(stream, output, turn.text, options.signal)
  const unique = `${context.messages.length}_${ordinal}`
  playToolCalls(stream, output, turn.toolCalls ?? [], (index) => `script_${unique}_${index}`)
  options.signal?.throwIfAborted()
  countUsage(output, turn)
  if (turn.error)
    throw new Error([turn.error.status, turn.error.message].filter((part) => part !== undefined).join(' '))
  const reason = turn.stopReason ?? (turn.toolCalls?.length ? 'toolUse' : 'stop')
  output.stopReason = reason
  stream.push({ type: 'done', reason, message: output })
  stream.end()
}

async function playText(
  stream: AssistantMessageEventStream,
  output: AssistantMessage,
  text: EnsoScriptText,
  signal: AbortSignal | undefined,
): Promise<void> {
  const block = { type: 'text' as const, text: '' }
  const contentIndex = output.content.push(block) - 1
  stream.push({ type: 'text_start', contentIndex, partial: output })
  await eachDelta(text, signal, (delta) => {
    block.text += delta
    stream.push({ type: 'text_delta', contentIndex, delta, partial: output })
  })
  stream.push({ type: 'text_end', contentIndex, content: block.text, partial: output })
}

async function playThinking(
  stream: AssistantMessageEventStream,
  output: AssistantMessage,
  text: EnsoScriptText,
  signal: AbortSignal | undefined,
): Promise<void> {
  const block = { type: 'thinking' as const, thinking: '' }
  const contentIndex = output.content.push(block) - 1
  stream.push({ type: 'thinking_start', contentIndex, partial: output })
  await eachDelta(text, signal, (delta) => {
    block.thinking += delta
    stream.push({ type: 'thinking_delta', contentIndex, delta, partial: output })
  })
  stream.push({ type: 'thinking_end', contentIndex, content: block.thinking, partial: output })
}

function playToolCalls(
  stream: AssistantMessageEventStream,
  output: AssistantMessage,
  calls: NonNullable<EnsoScriptTurn['toolCalls']>,
  idOf: (index: number) => string,
): void {
  for (const [index, call] of calls.entries()) {
    const toolCall = {
      type: 'toolCall' as const,
      id: call.id ?? idOf(index),
      name: call.name,
      arguments: { ...call.args },
    }
    const contentIndex = output.content.push(toolCall) - 1
    stream.push({ type: 'toolcall_start', contentIndex, partial: output })
    stream.push({ type: 'toolcall_delta', contentIndex, delta: JSON.stringify(call.args), partial: output })
    stream.push({ type: 'toolcall_end', contentIndex, toolCall, partial: output })
  }
}

async function eachDelta(
  text: EnsoScriptText,
  signal: AbortSignal | undefined,
  say: (delta: string) => void,
): Promise<void> {
  const { deltas, delayMs } = typeof text === 'string' ? { deltas: [text] } : text
  for (const [index, delta] of deltas.entries()) {
    if (delayMs) await pause(delayMs, undefined, signal ? { signal } : {})
    else if (index % DELTAS_PER_LOOP_TURN === 0) await nextLoopTurn()
    signal?.throwIfAborted()
    say(delta)
  }
}

function countUsage(output: AssistantMessage, { usage }: EnsoScriptTurn): void {
  if (!usage) return
  const { input, output: out, cacheRead = 0, cacheWrite = 0, cost = 0 } = usage
  Object.assign(output.usage, {
    input,
    output: out,
    cacheRead,
    cacheWrite,
    totalTokens: input + out + cacheRead + cacheWrite,
  })
  output.usage.cost.total = cost
}

function situationOf(messages: readonly Message[]): { lastResult: string; lastPrompt: string } {
  const lastResultAt = messages.findLastIndex((message) => message.role === 'toolResult')
  let first = lastResultAt
  while (first > 0 && messages[first - 1]!.role === 'toolResult') first--
  const results = lastResultAt < 0 ? [] : messages.slice(first, lastResultAt + 1)
  const prompt = messages.findLast((message) => message.role === 'user')
  return { lastResult: results.map(textOf).join('\n'), lastPrompt: prompt ? textOf(prompt) : '' }
}

function textOf({ content }: Message): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}
