import { AsyncLocalStorage } from 'node:async_hooks'

/** The tool call that the running code belongs to. */
export interface ToolCallContext {
  readonly toolName: string
  readonly toolCallId: string
}

const storage = new AsyncLocalStorage<ToolCallContext>()

/** Runs `callback` as part of a tool call, so that a question asked inside it names its tool. */
export function inToolCall<T>(context: ToolCallContext, callback: () => T): T {
  return storage.run(context, callback)
}

/** The tool call this code runs in, or `undefined` outside one. */
export function currentToolCall(): ToolCallContext | undefined {
  return storage.getStore()
}
