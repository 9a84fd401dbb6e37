import type { EnsoToolResultObservation } from '../core/index.js'
import { capToolResult } from './cap-tool-result.js'
import type { ThreadClock } from './clock.js'

/** How long a running tool's changed text may wait, in milliseconds. */
export const RUNNING_TEXT_WAIT_MS = 1000

/** Thins out the accumulated text of running tools: each sending replaces the one before, so the newest is enough. */
export interface RunningTools {
  /** Text of a tool that still runs. */
  push(observation: EnsoToolResultObservation): void
  /** The tool is done, and its result says all: what waits of it is dropped. */
  done(toolCallId: string): void
  /** Drops everything that waits. */
  reset(): void
}

interface RunningTool {
  sentLength: number
  sentText: string
  sentAt: number
  waiting: EnsoToolResultObservation | undefined
  cancelTimer: (() => void) | undefined
}

/** A running tool's text goes out when it has doubled since it was last sent, or each second, and capped. */
export function createRunningTools(
  clock: ThreadClock,
  emit: (observation: EnsoToolResultObservation) => void,
): RunningTools {
  const tools = new Map<string, RunningTool>()

  function send(tool: RunningTool, observation: EnsoToolResultObservation): void {
    tool.cancelTimer?.()
    tool.cancelTimer = undefined
    tool.waiting = undefined
    if (observation.text === tool.sentText) return
    tool.sentText = observation.text
    tool.sentLength = observation.text.length
    tool.sentAt = clock.now()
    emit(capToolResult(observation))
  }

  function push(observation: EnsoToolResultObservation): void {
    let tool = tools.get(observation.toolCallId)
    if (tool === undefined) {
      tool = { sentLength: 0, sentText: '', sentAt: clock.now(), waiting: undefined, cancelTimer: undefined }
      tools.set(observation.toolCallId, tool)
    }
    const waited = clock.now() - tool.sentAt
    const doubled = observation.text.length > 0 && observation.text.length >= tool.sentLength * 2
    if (doubled || waited >= RUNNING_TEXT_WAIT_MS) {
      send(tool, observation)
      return
    }
    tool.waiting = observation
    tool.cancelTimer ??= clock.after(RUNNING_TEXT_WAIT_MS - waited, () => sendWaiting(tool))
  }

  function sendWaiting(tool: RunningTool): void {
    tool.cancelTimer = undefined
    if (tool.waiting !== undefined) send(tool, tool.waiting)
  }

  return {
    push,
    done: (toolCallId) => {
      tools.get(toolCallId)?.cancelTimer?.()
      tools.delete(toolCallId)
    },
    reset: () => {
      for (const tool of tools.values()) tool.cancelTimer?.()
      tools.clear()
    },
  }
}
