import { AsyncLocalStorage } from 'node:async_hooks'

/** The tool call that the running code belongs to. */
export interface ToolCallContext {
  readonly toolName: string
  readonly toolCallId: string
}

const storage = new AsyncLocalStorage<ToolCallContext>()
let running = 0

/**
 * Runs `callback` as part of a tool call, so that a question asked inside it names its tool. Between calls the storage
 * is out of use: while one is in use every promise of the process costs three times as much.
 */
export async function inToolCall<T>(context: ToolCallContext, callback: () => T | Promise<T>): Promise<T> {
  running++
  try {
    return await storage.run(context, callback)
  } finally {
    running--
    if (running === 0) storage.disable()
  }
}

/** The tool call this code runs in, or `undefined` outside one. */
export function currentToolCall(): ToolCallContext | undefined {
  return storage.getStore()
}
