import type { ExtensionAPI, ToolCallEventResult } from '@mariozechner/pi-coding-agent'
import type { HostSelectQuestion, ThreadPartsContext } from '../../../src/host/thread-parts.js'

/** A thread that keeps its entries in memory and answers every question the same way. */
export function fakeThread(options: {
  canAsk: boolean
  permissionMode?: string | undefined
  answer?: string | undefined
  entries?: { customType: string; data: unknown }[]
}): ThreadPartsContext & {
  questions: HostSelectQuestion[]
  entries: { customType: string; data: unknown }[]
  notices: string[]
} {
  const entries = options.entries ?? []
  const questions: HostSelectQuestion[] = []
  const notices: string[] = []
  return {
    threadId: 't',
    cwd: '/work',
    ephemeral: false,
    trustProject: false,
    permissionMode: options.permissionMode,
    canAsk: () => options.canAsk,
    mayHaveRule: () => false,
    askHostSelect: (question) => {
      questions.push(question)
      return Promise.resolve(options.answer)
    },
    notify: (message) => void notices.push(message),
    lastCustomEntry: (customType) => entries.findLast((entry) => entry.customType === customType)?.data,
    appendCustomEntry: (customType, data) => void entries.push({ customType, data }),
    questions,
    entries,
    notices,
  }
}

type Handler = (event: unknown, context: unknown) => unknown

/** The part of the extension interface that an extension of ours uses, with handles to drive it. */
export function fakeExtensionApi(installed: readonly string[]): {
  api: ExtensionAPI
  toolCall: (toolName: string, input: Record<string, unknown>) => Promise<ToolCallEventResult | undefined>
  command: (name: string, args?: string) => Promise<void>
  start: () => Promise<void>
} {
  const handlers = new Map<string, Handler>()
  const commands = new Map<string, (args: string) => Promise<void>>()
  const api = {
    on: (event: string, handler: Handler) => void handlers.set(event, handler),
    registerCommand: (name: string, { handler }: { handler: (args: string) => Promise<void> }) =>
      void commands.set(name, handler),
    getAllTools: () => [
      ...installed.map((name) => ({ name, sourceInfo: { scope: 'user' } })),
      { name: 'unknown_tool', sourceInfo: { scope: 'project' } },
    ],
  }
  return {
    api: api as unknown as ExtensionAPI,
    toolCall: async (toolName, input) =>
      (await handlers.get('tool_call')?.({ toolName, input, toolCallId: 'c' }, {})) as ToolCallEventResult | undefined,
    command: async (name, args = '') => commands.get(name)?.(args),
    start: async () => void (await handlers.get('session_start')?.({}, {})),
  }
}
