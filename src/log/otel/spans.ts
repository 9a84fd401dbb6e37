import { type Context, context, type Span, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api'
import type { EnsoObservation } from '../../core/observation.js'
import type { ObservedEvent } from '../../core/observed-event.js'
import { capStrings } from '../cap-strings.js'
import type { Redactor } from '../redact/redactor.js'

/** Turns what is observed of threads into spans by the GenAI names. */
export interface SpanMaker {
  observe(event: ObservedEvent): void
  /** Ends every span that is still open: the process ends. */
  endAll(): void
}

/** What spans are made with. */
export interface SpanMakerOptions {
  readonly tracer: Tracer
  readonly redactor: Redactor
  /** Arguments and results of tools too. They pass the redactor, and long ones are cut. */
  readonly contents: boolean
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** Longer contents are cut: collectors refuse large attributes. */
const CONTENT_CHARS = 8192

interface Run {
  readonly span: Span
  readonly inside: Context
  chat: Span | undefined
  readonly tools: Map<string, Span>
}

interface Model {
  readonly provider: string
  readonly id: string
}

/** `invoke_agent` for a run, `chat` for each request to its model, `execute_tool` for each tool call. */
export function createSpanMaker({ tracer, redactor, contents, now }: SpanMakerOptions): SpanMaker {
  const runs = new Map<string, Run>()
  const models = new Map<string, Model>()

  const runOf = ({ threadId, generation }: ObservedEvent): Run => {
    const known = runs.get(threadId)
    if (known !== undefined) return known
    const attributes = {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'enso',
      'gen_ai.conversation.id': threadId,
      'enso.generation': generation,
    }
    const span = tracer.startSpan('invoke_agent enso', { startTime: now(), attributes }, context.active())
    const run: Run = { span, inside: trace.setSpan(context.active(), span), chat: undefined, tools: new Map() }
    runs.set(threadId, run)
    return run
  }

  const beginChat = (event: ObservedEvent): void => {
    const run = runOf(event)
    run.chat?.end(now())
    const model = models.get(event.threadId)
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.conversation.id': event.threadId,
      ...(model === undefined ? {} : { 'gen_ai.provider.name': model.provider, 'gen_ai.request.model': model.id }),
    }
    run.chat = tracer.startSpan(`chat ${model?.id ?? 'model'}`, { startTime: now(), attributes }, run.inside)
  }

  const endChat = (event: ObservedEvent, { usage, model }: Extract<EnsoObservation, { kind: 'message-end' }>): void => {
    const run = runs.get(event.threadId)
    if (run?.chat === undefined) return
    if (model !== undefined) run.chat.setAttribute('gen_ai.response.model', model)
    if (usage !== undefined) {
      run.chat.setAttributes({
        'gen_ai.usage.input_tokens': usage.input + usage.cacheRead + usage.cacheWrite,
        'gen_ai.usage.output_tokens': usage.output,
      })
    }
    run.chat.end(now())
    run.chat = undefined
  }

  const refused = (event: ObservedEvent, { status }: Extract<EnsoObservation, { kind: 'provider-refused' }>): void => {
    const { span, chat } = runOf(event)
    const error = status === undefined ? 'provider-refused' : String(status)
    // The request's own span may be over: the failed message ends before the refusal is said.
    const target = chat ?? span
    target.setAttribute('error.type', error)
    target.setStatus({ code: SpanStatusCode.ERROR, message: 'the provider refused' })
  }

  const beginTool = (event: ObservedEvent, call: Extract<EnsoObservation, { kind: 'tool-call' }>): void => {
    const run = runOf(event)
    const attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': call.toolName,
      'gen_ai.tool.call.id': call.toolCallId,
      ...(contents ? { 'gen_ai.tool.call.arguments': content(call.args) } : {}),
    }
    const span = tracer.startSpan(`execute_tool ${call.toolName}`, { startTime: now(), attributes }, run.inside)
    run.tools.set(call.toolCallId, span)
  }

  const endTool = (event: ObservedEvent, result: Extract<EnsoObservation, { kind: 'tool-result' }>): void => {
    const tools = runs.get(event.threadId)?.tools
    const span = tools?.get(result.toolCallId)
    if (span === undefined || !result.complete) return
    if (contents) span.setAttribute('gen_ai.tool.call.result', content(result.text))
    if (result.isError) {
      span.setAttribute('error.type', 'tool-error')
      span.setStatus({ code: SpanStatusCode.ERROR })
    }
    span.end(now())
    tools?.delete(result.toolCallId)
  }

  const content = (value: unknown): string => {
    const capped = capStrings(redactor.value(value), CONTENT_CHARS)
    return typeof capped === 'string' ? capped : JSON.stringify(capped)
  }

  const endRun = (threadId: string): void => {
    const run = runs.get(threadId)
    if (run === undefined) return
    runs.delete(threadId)
    for (const span of [...run.tools.values(), run.chat, run.span]) span?.end(now())
  }

  return {
    observe(event) {
      const { observation, threadId } = event
      switch (observation.kind) {
        case 'model':
          if (observation.model !== null) models.set(threadId, observation.model)
          return
        case 'turn-start':
          return beginChat(event)
        case 'message-end':
          return observation.role === 'assistant' ? endChat(event, observation) : undefined
        case 'provider-refused':
          return refused(event, observation)
        case 'tool-call':
          return beginTool(event, observation)
        case 'tool-result':
          return endTool(event, observation)
        case 'settled':
          return endRun(threadId)
        default:
      }
    },
    endAll() {
      for (const threadId of runs.keys()) endRun(threadId)
    },
  }
}
