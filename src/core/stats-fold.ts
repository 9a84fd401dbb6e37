import { firstWords } from './first-words.js'
import type { ThreadLogAccount } from './thread-log.js'
import type { ReplyRecord, ThreadRecord, ThreadRecords, ToolResultRecord } from './thread-record.js'
import type { EnsoPromptStats, EnsoThreadStats, EnsoToolCallStats, EnsoTurnStats } from './thread-stats.js'

/** What a thread's statistics are folded from. */
export interface StatsInput {
  readonly threadId: string
  readonly live: boolean
  readonly records: ThreadRecords
  readonly log: ThreadLogAccount
}

interface PromptTally {
  readonly row: EnsoPromptStats
  readonly from: string | undefined
  until: string | undefined
}

/**
 * A thread in numbers. Each reply is one request and its usage is counted once; requests before the first prompt of the
 * branch are prompt 0, so that the prompts' costs always sum to the branch's.
 */
export function foldThreadStats({ threadId, live, records, log }: StatsInput): EnsoThreadStats {
  const prompts: PromptTally[] = []
  const turnStats: EnsoTurnStats[] = []
  const callStats: EnsoToolCallStats[] = []
  const open = createOpenCalls()
  let branchCost = 0
  let prompt = 0

  const tallyOf = (record: ThreadRecord): PromptTally => {
    const last = prompts.at(-1)
    if (last !== undefined) return last
    return begin(prompts, 0, '', record.at)
  }

  const addReply = (reply: ReplyRecord): void => {
    const turn = turnStats.length + 1
    const row = turnOf(reply, prompt, turn)
    turnStats.push(row)
    branchCost += row.cost
    const tally = tallyOf(reply)
    tally.until = reply.at
    tally.row.turnCount++
    tally.row.cost += row.cost
    for (const part of reply.parts) {
      if (part.type !== 'tool-call') continue
      const call = callOf(part.toolCallId, part.toolName, part.args, prompt, turn)
      const durationMs = log.callDurations.get(part.toolCallId)
      if (durationMs !== undefined) call.durationMs = durationMs
      callStats.push(call)
      open.called(call, tally.row)
    }
  }

  for (const record of records.branch) {
    if (record.kind === 'prompt') begin(prompts, ++prompt, firstWords(record.text), record.at)
    else if (record.kind === 'reply') addReply(record)
    else if (record.kind === 'tool-result') {
      tallyOf(record).until = record.at
      open.answered(record)
    }
  }
  return {
    threadId,
    live,
    usage: records.usage,
    branchCost,
    promptStats: prompts.map(promptOf),
    turnStats,
    callStats,
    latency: log.latency,
    logDays: [...log.days],
  }
}

function begin(prompts: PromptTally[], prompt: number, text: string, from: string | undefined): PromptTally {
  const row: EnsoPromptStats = { prompt, text, turnCount: 0, toolCalls: 0, failedToolCalls: 0, cost: 0 }
  const tally = { row, from, until: undefined }
  prompts.push(tally)
  return tally
}

function promptOf({ row, from, until }: PromptTally): EnsoPromptStats {
  const ms = Date.parse(until ?? '') - Date.parse(from ?? '')
  return ms >= 0 ? { ...row, durationMs: ms } : row
}

function turnOf({ parts, model, stopReason, usage }: ReplyRecord, prompt: number, turn: number): EnsoTurnStats {
  return {
    prompt,
    turn,
    model,
    stopReason,
    toolCalls: parts.filter(({ type }) => type === 'tool-call').length,
    input: usage?.input ?? 0,
    output: usage?.output ?? 0,
    cacheRead: usage?.cacheRead ?? 0,
    cacheWrite: usage?.cacheWrite ?? 0,
    cost: usage?.totalCost ?? 0,
  }
}

function callOf(toolCallId: string, toolName: string, args: unknown, prompt: number, turn: number): EnsoToolCallStats {
  const inputChars = (JSON.stringify(args) as string | undefined)?.length ?? 0
  return { prompt, turn, toolCallId, toolName, inputChars, outputChars: 0, isError: false, pending: true }
}

/** Joins results with their calls by id; the same id used again is another call. A result without a call is none. */
function createOpenCalls() {
  const waiting = new Map<string, { readonly call: EnsoToolCallStats; readonly row: EnsoPromptStats }>()
  return {
    called(call: EnsoToolCallStats, row: EnsoPromptStats): void {
      row.toolCalls++
      waiting.set(call.toolCallId, { call, row })
    },
    answered({ toolCallId, text, isError }: ToolResultRecord): void {
      const found = waiting.get(toolCallId)
      if (found === undefined) return
      waiting.delete(toolCallId)
      found.call.pending = false
      found.call.outputChars = text.length
      found.call.isError = isError
      if (isError) found.row.failedToolCalls++
    },
  }
}
