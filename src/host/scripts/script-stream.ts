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
import { type EnsoScriptText, type EnsoScriptToolCall, type EnsoScriptTurn, scriptParts } from '../../core/index.js'
import type { ScriptPlayer } from './script-player.js'

/** Between this many deltas without a pause others get a turn, a Stop among them. */
const DELTAS_PER_LOOP_TURN = 32

/** The reply being played: the message as it grows, where its events go, and what stops it. */
interface Playing {
  readonly stream: AssistantMessageEventStream
  readonly output: AssistantMessage
  readonly signal: AbortSignal | undefined
}

/** Answers one request by the player's next turn. What goes wrong is the reply's error, as with any provider. */
export function playTurn(
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
  const playing = { stream, output, signal: options.signal }
  play(player, playing, model, context, options).catch((error: unknown) => {
    const reason = options.signal?.aborted ? 'aborted' : 'error'
    output.stopReason = reason
    output.errorMessage =
      reason === 'aborted' ? 'Request was aborted' : error instanceof Error ? error.message : String(error)
    stream.push({ type: 'error', reason, error: output })
    stream.end()
  })
  return stream
}

/** Rejects with what the reply failed with. */
async function play(
  player: ScriptPlayer,
  playing: Playing,
  model: Model<Api>,
  context: Context,
  options: SimpleStreamOptions,
): Promise<void> {
  const { stream, output, signal } = playing
  await options.onPayload?.({ model: model.id, ...context }, model)
  signal?.throwIfAborted()
  const next = player.next(options.sessionId, situationOf(context.messages))
  if (!next.ok) throw new Error(next.reason)
  const { turn, ordinal } = next
  await options.onResponse?.({ status: turn.error?.status ?? 200, headers: {} }, model)
  stream.push({ type: 'start', partial: output })
  const parts = scriptParts(turn)
  for (const part of parts) {
    if ('text' in part) await playText(playing, part.text)
    else if ('thinking' in part) await playThinking(playing, part.thinking)
    else playToolCall(playing, part.toolCall, `script_${context.messages.length}_${ordinal}`)
  }
  signal?.throwIfAborted()
  countUsage(output, turn)
  if (turn.error)
    throw new Error([turn.error.status, turn.error.message].filter((part) => part !== undefined).join(' '))
  const reason = turn.stopReason ?? (parts.some((part) => 'toolCall' in part) ? 'toolUse' : 'stop')
  output.stopReason = reason
  stream.push({ type: 'done', reason, message: output })
  stream.end()
}

async function playText({ stream, output, signal }: Playing, text: EnsoScriptText): Promise<void> {
  const block = { type: 'text' as const, text: '' }
  const contentIndex = output.content.push(block) - 1
  stream.push({ type: 'text_start', contentIndex, partial: asOf(output) })
  await eachDelta(text, signal, (delta) => {
    block.text += delta
    stream.push({ type: 'text_delta', contentIndex, delta, partial: asOf(output) })
  })
  stream.push({ type: 'text_end', contentIndex, content: block.text, partial: asOf(output) })
}

async function playThinking({ stream, output, signal }: Playing, text: EnsoScriptText): Promise<void> {
  const block = { type: 'thinking' as const, thinking: '' }
  const contentIndex = output.content.push(block) - 1
  stream.push({ type: 'thinking_start', contentIndex, partial: asOf(output) })
  await eachDelta(text, signal, (delta) => {
    block.thinking += delta
    stream.push({ type: 'thinking_delta', contentIndex, delta, partial: asOf(output) })
  })
  stream.push({ type: 'thinking_end', contentIndex, content: block.thinking, partial: asOf(output) })
}

function playToolCall({ stream, output }: Playing, { id, name, args }: EnsoScriptToolCall, unique: string): void {
  const contentIndex = output.content.length
  const toolCall = { type: 'toolCall' as const, id: id ?? `${unique}_${contentIndex}`, name, arguments: { ...args } }
  output.content.push(toolCall)
  stream.push({ type: 'toolcall_start', contentIndex, partial: asOf(output) })
  stream.push({ type: 'toolcall_delta', contentIndex, delta: JSON.stringify(args), partial: asOf(output) })
  stream.push({ type: 'toolcall_end', contentIndex, toolCall, partial: asOf(output) })
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
  const totalTokens = input + out + cacheRead + cacheWrite

  output.usage = {
    input,
    output: out,
    cacheRead,
    cacheWrite,
    totalTokens,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: cost },
  }
}

/** The message as it is now: its events are looked at later, when the usage at its end is there already. */
function asOf(output: AssistantMessage): AssistantMessage {
  return { ...output }
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
