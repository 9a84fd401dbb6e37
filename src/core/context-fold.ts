import { fileOperations } from './context-files.js'
import { UNKNOWN_SYSTEM_KEY, UNKNOWN_TOOLS_KEY, replyText, toolNames, type ContextItem } from './context-items.js'
import { preambleEvents } from './context-preamble.js'
import { createSwitches } from './context-switches.js'
import { walkContext, type RunningContext } from './context-walk.js'
import { firstWords } from './first-words.js'
import {
  ENSO_CONTEXT_ADDITIONS_SHOWN,
  type EnsoContextAddition,
  type EnsoContextEvent,
  type EnsoContextRequest,
  type EnsoContextRequestDetail,
  type EnsoThreadContext,
} from './thread-context.js'
import type { ReplyRecord, ThreadRecords } from './thread-record.js'

/** What a thread's context is folded from. */
export interface ContextInput {
  readonly threadId: string
  readonly live: boolean
  readonly records: ThreadRecords
}

/**
 * A thread's context: at every request of its branch, and as the next one would carry it.
 *
 * What was never recorded is not estimated: `system` or `tools` is 0 then, and an event whose key is `unknown:system`
 * or `unknown:tools` says that it isn't known, from its turn on until the record that follows.
 */
export function foldThreadContext({ threadId, live, records }: ContextInput): EnsoThreadContext {
  const { branch } = records
  const requests: EnsoContextRequest[] = []
  const events: EnsoContextEvent[] = []
  const switches = createSwitches()
  const prompts = branch.flatMap((record) => (record.kind === 'prompt' ? [firstWords(record.text)] : []))
  let compaction: EnsoContextRequest['compaction']

  const next = walkContext(branch, {
    entry(record, turn) {
      const event = switches.take(record, turn)
      if (event !== undefined) events.push(event)
    },
    request(reply, turn, prompt, context) {
      if (turn === 1) events.push(...unknownEvents(context, reply.at))
      const made = requestOf(reply, turn, prompt, prompts[prompt - 1] ?? '', context)
      requests.push(compaction === undefined ? made : { ...made, compaction })
      compaction = undefined
      return true
    },
    preamble(change, record, turn) {
      events.push(...preambleEvents(change, record, turn))
    },
    injected({ key, label, tokens }, record, turn) {
      events.push({ key, kind: 'inject', label, at: record.at ?? '', turn, tokens })
    },
    compacted(record, tokens, turn) {
      compaction = { tokensBefore: record.tokensBefore }
      events.push({ key: record.id, kind: 'compact', label: 'compacted', at: record.at ?? '', turn, tokens })
    },
  })
  if (requests.length === 0) events.push(...unknownEvents(next, undefined))
  return {
    threadId,
    live,
    usage: live ? records.usage.context : null,
    next: { ...next.makeup },
    requests,
    events,
    files: fileOperations(branch),
  }
}

/**
 * One request's context, element by element; `next` is the one that has not been sent. Nothing where the branch has no
 * request of this number. An element that nobody recorded is there with its label saying so, and no text.
 */
export function foldContextRequest(
  { threadId, records }: ContextInput,
  request: number | 'next',
): EnsoContextRequestDetail | undefined {
  let found = request === 'next'
  const context = walkContext(records.branch, {
    request(_reply, turn) {
      found ||= turn === request
      return turn !== request
    },
  })
  if (!found) return undefined
  const entered = new Set(context.entered)
  return {
    threadId,
    request,
    elements: context.items().map((item) => {
      const { key, category, label, at, tokens } = item
      const head = { key, category, label, tokens, entered: entered.has(item), body: item.body() }
      return at === undefined ? head : { ...head, at }
    }),
    left: context.left.map(additionOf),
  }
}

function requestOf(
  reply: ReplyRecord,
  turn: number,
  prompt: number,
  promptWords: string,
  { makeup, entered }: RunningContext,
): EnsoContextRequest {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = reply.usage ?? {}
  return {
    prompt,
    turn,
    at: reply.at ?? '',
    model: reply.model,
    estimated: { ...makeup },
    actual: { prompt: input + cacheRead + cacheWrite, cacheRead, output },
    brief: {
      prompt: promptWords,
      reply: firstWords(replyText(reply.parts)),
      toolCalls: toolNames(reply.parts),
      added: entered.slice(0, ENSO_CONTEXT_ADDITIONS_SHOWN).map(additionOf),
      moreAdded: Math.max(0, entered.length - ENSO_CONTEXT_ADDITIONS_SHOWN),
    },
  }
}

function additionOf({ key, label, category }: ContextItem): EnsoContextAddition {
  return { key, label, category }
}

/** That a part of the context is not known, as events of the first request. */
function unknownEvents(context: RunningContext, at: string | undefined): EnsoContextEvent[] {
  return context
    .items()
    .filter(({ key }) => key === UNKNOWN_SYSTEM_KEY || key === UNKNOWN_TOOLS_KEY)
    .map(({ key, label }) => ({ key, kind: 'inject', label, at: at ?? '', turn: 1, tokens: 0 }))
}
