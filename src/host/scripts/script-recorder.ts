import type { StreamFn } from '@mariozechner/pi-agent-core'
import {
  type AssistantMessage,
  type AssistantMessageEvent,
  type AssistantMessageEventStream,
  createAssistantMessageEventStream,
} from '@mariozechner/pi-ai'
import { ensoLogger } from '../../core/index.js'
import type {
  EnsoScript,
  EnsoScriptPart,
  EnsoScriptText,
  EnsoScriptToolCall,
  EnsoScriptTurn,
} from '../../core/index.js'

const log = ensoLogger('host', 'record')

export interface ScriptRecorderOptions {
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string
  /** Called after each reply with everything recorded so far. */
  readonly write: (script: EnsoScript) => void
}

/** Writes down what providers say, as a script that plays it again. */
export interface ScriptRecorder {
  /** Listens to the requests of one session from now on. Must come before the session's first run. */
  readonly listen: (agent: { streamFn: StreamFn }) => void
}

/** What one reply has said so far, by content index. */
type Heard = Map<number, { thinking: string[] } | { text: string[] } | { toolCall: EnsoScriptToolCall }>

/**
 * Records the replies of every session that is listened to, in the order in which they ended.
 *
 * Exact chunks are kept, pauses are not. A reply that was stopped is recorded as far as it came, as if it had ended
 * there. Text that holds a secret is kept in one redacted piece, since the secret may lie across chunks.
 */
export function createScriptRecorder({ redact, write }: ScriptRecorderOptions): ScriptRecorder {
  const turns: EnsoScriptTurn[] = []
  let head: Pick<EnsoScript, 'name' | 'contextWindow'> = {}

  return {
    listen(agent) {
      const ask = agent.streamFn
      agent.streamFn = async (...request) => {
        const said = await ask(...request)
        const [model] = request
        head = { ...(isName(model.id) ? { name: model.id } : {}), contextWindow: model.contextWindow }
        return tee(said, (heard, message) => {
          turns.push(turnOf(heard, message, redact))
          try {
            write({ version: 1, ...head, turns })
          } catch (error) {
            log.error('the recorded script could not be written: {error}', { error: String(error) })
          }
        })
      }
    },
  }
}

function isName(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(id)
}

/** The same stream again, with its end told before it is passed on. */
function tee(
  said: AssistantMessageEventStream,
  ended: (heard: Heard, message: AssistantMessage) => void,
): AssistantMessageEventStream {
  const passedOn = createAssistantMessageEventStream()
  const heard: Heard = new Map()
  void (async () => {
    for await (const event of said) {
      hear(heard, event)
      if (event.type === 'done') ended(heard, event.message)
      if (event.type === 'error') ended(heard, event.error)
      passedOn.push(event)
    }
    passedOn.end()
  })()
  return passedOn
}

function hear(heard: Heard, event: AssistantMessageEvent): void {
  switch (event.type) {
    case 'text_start':
      heard.set(event.contentIndex, { text: [] })
      break
    case 'thinking_start':
      heard.set(event.contentIndex, { thinking: [] })
      break
    case 'text_delta': {
      const part = heard.get(event.contentIndex)
      if (part && 'text' in part) part.text.push(event.delta)
      break
    }
    case 'thinking_delta': {
      const part = heard.get(event.contentIndex)
      if (part && 'thinking' in part) part.thinking.push(event.delta)
      break
    }
    case 'toolcall_end': {
      const { id, name, arguments: args } = event.toolCall
      heard.set(event.contentIndex, { toolCall: { id, name, args } })
      break
    }
    default:
  }
}

function turnOf(heard: Heard, message: AssistantMessage, redact: (text: string) => string): EnsoScriptTurn {
  const textOf = (chunks: readonly string[]): EnsoScriptText => {
    const whole = chunks.join('')
    const clean = redact(whole)
    return clean !== whole || chunks.length < 2 ? clean : { deltas: [...chunks] }
  }
  const parts = [...heard]
    .sort(([a], [b]) => a - b)
    .map(([, part]): EnsoScriptPart => {
      if ('text' in part) return { text: textOf(part.text) }
      if ('thinking' in part) return { thinking: textOf(part.thinking) }
      return { toolCall: { ...part.toolCall, args: redactedArgs(part.toolCall.args, redact) } }
    })
  const { usage, stopReason, errorMessage } = message
  const plain = parts.some((part) => 'toolCall' in part) ? 'toolUse' : 'stop'
  const { input, output, cacheRead, cacheWrite } = usage
  return {
    ...inUsualOrder(parts),
    ...(stopReason === 'error' ? { error: { message: redact(errorMessage || 'the provider gave no reason') } } : {}),
    ...(stopReason === 'aborted' && plain !== 'stop' ? { stopReason: 'stop' as const } : {}),
    ...(stopReason === 'error' || stopReason === 'aborted' || stopReason === plain ? {} : { stopReason }),
    usage: { input, output, cacheRead, cacheWrite, cost: usage.cost.total },
  }
}

/** As thinking, text and tool calls where the parts come in that order, else as `content`. */
function inUsualOrder(parts: readonly EnsoScriptPart[]): Partial<EnsoScriptTurn> {
  const order = parts.map((part) => ('thinking' in part ? 't' : 'text' in part ? 'x' : 'c')).join('')
  if (!/^t?x?c*$/.test(order)) return { content: [...parts] }
  const toolCalls = parts.flatMap((part) => ('toolCall' in part ? [part.toolCall] : []))
  const said = parts.filter((part) => !('toolCall' in part))
  return { ...Object.assign({}, ...said), ...(toolCalls.length > 0 ? { toolCalls } : {}) } as Partial<EnsoScriptTurn>
}

function redactedArgs(args: Record<string, unknown>, redact: (text: string) => string): Record<string, unknown> {
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return redact(value)
    if (Array.isArray(value)) return value.map(clean)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clean(inner)]))
  }
  return clean(args) as Record<string, unknown>
}
