import type { Agent, AgentTool } from '@mariozechner/pi-agent-core'
import { inToolCall } from '../dialogs/tool-call-context.js'
import { withinGrace } from '../runs/within-grace.js'

type Execute = AgentTool['execute']

/** A tool that ends when its run is stopped, whether or not its own code listens; a late update goes nowhere. */
function boundTool(tool: AgentTool, graceMs: number): AgentTool {
  const execute: Execute = async (toolCallId, params, signal, onUpdate) => {
    let over = false
    const update: typeof onUpdate = onUpdate && ((partial) => (over ? undefined : onUpdate(partial)))
    const run = (): ReturnType<Execute> => tool.execute(toolCallId, params, signal, update)
    try {
      return await withinGrace(inToolCall({ toolName: tool.name, toolCallId }, run), signal, graceMs, tool.name)
    } finally {
      over = true
    }
  }
  return { ...tool, execute }
}

/**
 * Bounds every tool the agent is ever given, and every hook that runs before or after a tool call: none of them can
 * hold a stopped run for longer than `graceMs`. Questions asked inside know the tool they come from.
 */
export function boundTools(agent: Agent, graceMs: number): void {
  const bound = new WeakMap<AgentTool, AgentTool>()
  const isOurs = new WeakSet<AgentTool>()
  const boundOnce = (tool: AgentTool): AgentTool => {
    if (isOurs.has(tool)) return tool
    const known = bound.get(tool)
    if (known) return known
    const made = boundTool(tool, graceMs)
    bound.set(tool, made)
    isOurs.add(made)
    return made
  }
  let tools = agent.state.tools.map(boundOnce)
  Object.defineProperty(agent.state, 'tools', {
    get: () => tools,
    set: (next: AgentTool[]) => {
      tools = next.map(boundOnce)
    },
    enumerable: true,
    configurable: true,
  })

  const { beforeToolCall, afterToolCall } = agent
  if (beforeToolCall) {
    agent.beforeToolCall = (context, signal) => {
      const { name: toolName, id: toolCallId } = context.toolCall
      const run = () => beforeToolCall(context, signal)
      return withinGrace(inToolCall({ toolName, toolCallId }, run), signal, graceMs, `the check of ${toolName}`)
    }
  }
  if (afterToolCall) {
    agent.afterToolCall = (context, signal) => {
      const { name: toolName, id: toolCallId } = context.toolCall
      const run = () => afterToolCall(context, signal)
      return withinGrace(inToolCall({ toolName, toolCallId }, run), signal, graceMs, `the hook after ${toolName}`)
    }
  }
}
