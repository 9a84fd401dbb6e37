import type {
  AgentHost,
  DialogAnswer,
  EnsoDialogOutcome,
  EnsoDialogSpec,
  EnsoModelState,
  EnsoObservation,
  EnsoPermissionModeState,
  EnsoSessionUsage,
  EnsoTranscriptEntry,
  HostedThread,
  HostFlowOutcome,
  OpenThreadRequest,
  PromptOutcome,
  PromptRequest,
  RuntimeCommand,
  ThreadRuntime,
} from '../../src/core/index.js'

/** A prompt that the fake was told, with the outcome the test decides about. */
export interface ToldPrompt {
  readonly request: PromptRequest
  readonly outcome: PromptOutcome
}

/** What a replaced method may work with. */
export interface FakeThreadParts {
  /** Every call of the runtime, in order: the method's name and its arguments. */
  readonly calls: { readonly method: keyof ThreadRuntime; readonly args: readonly unknown[] }[]
  readonly prompts: ToldPrompt[]
  readonly answers: DialogAnswer[]
  readonly flows: { readonly name: string; readonly outcome: HostFlowOutcome }[]
  /** What waits behind the run, as `clearQueue` hands it back. */
  readonly queue: { interrupting: string[]; enqueued: string[] }
  readonly entries: EnsoTranscriptEntry[]
  readonly request: OpenThreadRequest
  /** What the runtime says of itself; a test may change it. */
  readonly state: FakeThreadState
  /** Observes, to whoever subscribes; held for the first subscriber. */
  emit(...observations: EnsoObservation[]): void
  /** Asks a question, open until it is answered, cancelled or ended here. Returns its id. */
  ask(dialog: EnsoDialogSpec, id?: string): string
  endDialog(id: string, outcome: EnsoDialogOutcome): void
  /** A whole run over the next untold prompt: accepted, streamed, stored, settled. */
  reply(text: string): void
}

export interface FakeThreadState {
  busy: boolean
  model: EnsoModelState
  mode: EnsoPermissionModeState
  usage: EnsoSessionUsage
  commands: RuntimeCommand[]
  closed: boolean
}

export interface FakeHostedThread extends FakeThreadParts {
  readonly hosted: HostedThread
  readonly runtime: ThreadRuntime
}

export interface FakeThreadOptions {
  /** Single methods of the runtime in place of the fake's own, over its parts. */
  readonly runtime?: (parts: FakeThreadParts) => Partial<ThreadRuntime>
  readonly hosted?: (parts: FakeThreadParts) => Partial<HostedThread>
}

const COMMANDS: readonly RuntimeCommand[] = [
  {
    name: 'model',
    source: 'host',
    kind: 'select',
    value: 'local/small',
    options: [
      { id: 'local/small', label: 'Small' },
      { id: 'local/large', label: 'Large' },
    ],
  },
  { name: 'thinking', source: 'host', kind: 'level', value: 'off', options: [{ id: 'off', label: 'off' }] },
  { name: 'login', source: 'host', kind: 'flow', options: [{ id: 'local/api_key', label: 'Local' }] },
  { name: 'compact', source: 'host', kind: 'action' },
  { name: 'context', source: 'host', kind: 'view' },
  { name: 'review', source: 'extension', description: 'Look at the changes' },
]

/**
 * One thread without an agent: plain closures over lists that a test reads and writes. By default it takes every prompt,
 * switch and command when the test says so and does nothing by itself.
 */
export function createFakeHostedThread(request: OpenThreadRequest, options: FakeThreadOptions = {}): FakeHostedThread {
  const listeners = new Set<(observation: EnsoObservation) => void>()
  let held: EnsoObservation[] | undefined = []
  const open = new Map<string, EnsoDialogSpec>()
  let dialogs = 0
  let replied = 0

  const state: FakeThreadState = {
    busy: false,
    model: {
      model: { provider: 'local', id: 'small', name: 'Small' },
      thinkingLevel: 'off',
      availableThinkingLevels: ['off'],
    },
    mode: { mode: 'default', available: ['default', 'acceptEdits', 'plan'] },
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, context: null },
    commands: [...COMMANDS],
    closed: false,
  }

  function emit(...observations: EnsoObservation[]): void {
    for (const observation of observations) {
      if (held !== undefined) held.push(observation)
      else for (const listener of listeners) listener(observation)
    }
  }

  function endDialog(id: string, outcome: EnsoDialogOutcome): void {
    if (open.delete(id)) emit({ kind: 'dialog-settled', id, outcome })
  }

  function reply(text: string): void {
    const told = parts.prompts[replied++]
    if (told === undefined) throw new Error('no prompt waits for a reply')
    const n = parts.entries.length
    const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalCost: 0.01 }
    told.outcome.onAccepted()
    emit({ kind: 'turn-start' }, { kind: 'message-start', role: 'user', text: told.request.message })
    emit({ kind: 'message-end', role: 'user' })
    parts.entries.push(messageEntry(`e${n}`, 'user', told.request.message))
    emit({ kind: 'message-start', role: 'assistant' }, { kind: 'text-delta', contentIndex: 0, delta: text })
    emit({ kind: 'message-end', role: 'assistant', model: 'small', usage })
    parts.entries.push(messageEntry(`e${n + 1}`, 'assistant', text))
    emit({ kind: 'turn-end', toolResults: 0 }, { kind: 'run-ended', willRetry: false }, { kind: 'settled' })
  }

  const parts: FakeThreadParts = {
    calls: [],
    prompts: [],
    answers: [],
    flows: [],
    queue: { interrupting: [], enqueued: [] },
    entries: [],
    request,
    state,
    emit,
    ask: (dialog, id = `dialog-${++dialogs}`) => {
      open.set(id, dialog)
      const origin = held === undefined ? 'run' : 'session-start'
      emit({ kind: 'extension-ui-request', id, method: dialog.method, blocking: true, origin, dialog })
      return id
    },
    endDialog,
    reply,
  }

  const runtime = recorded(parts, {
    prompt: (prompt, outcome) => void parts.prompts.push({ request: prompt, outcome }),
    answerDialog: (answer) => {
      parts.answers.push(answer)
      endDialog(answer.id, answer.cancelled === true ? 'cancelled' : 'answered')
    },
    openDialogs: () => [...open].map(([id, dialog]) => ({ id, dialog })),
    listCommands: () => state.commands,
    modelState: () => state.model,
    sessionUsage: () => state.usage,
    runHostCommand: async ({ name, value = '' }) => {
      const [provider = '', id = ''] = value.split('/')
      if (name === 'model') state.model = { ...state.model, model: { provider, id, name: id } }
      else state.model = { ...state.model, thinkingLevel: value }
      emit({ kind: 'model', ...state.model })
    },
    startHostFlow: ({ name }, outcome) => void parts.flows.push({ name, outcome }),
    permissionModeState: () => state.mode,
    setPermissionMode: (mode, outcome) => {
      state.mode = { ...state.mode, mode }
      emit({ kind: 'permission-mode', ...state.mode })
      outcome.onAccepted()
    },
    subscribe: (listener) => {
      const replay = held ?? []
      held = undefined
      listeners.add(listener)
      for (const observation of replay) listener(observation)
      return () => void listeners.delete(listener)
    },
    abort: async () => {
      for (const id of open.keys()) endDialog(id, 'aborted')
      emit({ kind: 'settled' })
    },
    clearQueue: () => ({
      interrupting: parts.queue.interrupting.splice(0),
      enqueued: parts.queue.enqueued.splice(0),
    }),
    dispose: () => undefined,
    ...options.runtime?.(parts),
  })

  const hosted: HostedThread = {
    threadId: request.threadId,
    cwd: request.cwd,
    runtime,
    sessionId: request.threadId,
    sessionDir: request.session.kind === 'new' || request.session.kind === 'fork' ? request.session.dir : '',
    sessionFile: request.session.kind === 'stored' ? request.session.file : null,
    isBusy: () => state.busy,
    entries: () => parts.entries,
    records: () => ({ branch: [], usage: state.usage }),
    events: () => [],
    lastStopReason: () => 'stop',
    notes: [],
    close: async () => {
      state.closed = true
      for (const id of open.keys()) endDialog(id, 'cancelled')
    },
    ...options.hosted?.(parts),
  }
  return { ...parts, hosted, runtime }
}

/** The runtime with each call written down before it is made. */
function recorded(parts: FakeThreadParts, runtime: ThreadRuntime): ThreadRuntime {
  const entries = Object.entries(runtime).map(([name, method]) => {
    const call = (...args: unknown[]): unknown => {
      parts.calls.push({ method: name as keyof ThreadRuntime, args })
      return (method as (...given: unknown[]) => unknown)(...args)
    }
    return [name, call]
  })
  return Object.fromEntries(entries) as ThreadRuntime
}

/** One stored message of plain text. */
export function messageEntry(id: string, role: 'user' | 'assistant', text: string): EnsoTranscriptEntry {
  return { kind: 'message', id, role, parts: [{ type: 'text', text }] }
}

/** A host whose threads are fakes, in the order they were opened. */
export interface FakeHost extends AgentHost {
  readonly opened: FakeHostedThread[]
  /** The last one opened for a thread. */
  thread(threadId: string): FakeHostedThread
}

/** Makes a fake host; `failWith` lets a building fail as often as it returns an error. */
export function createFakeHost(options: FakeThreadOptions & { readonly failWith?: () => unknown } = {}): FakeHost {
  const opened: FakeHostedThread[] = []
  return {
    opened,
    thread: (threadId) => {
      const found = opened.findLast(({ hosted }) => hosted.threadId === threadId)
      if (found === undefined) throw new Error(`no thread ${threadId} was opened`)
      return found
    },
    openThread: async (request) => {
      const failure = options.failWith?.()
      if (failure !== undefined) throw failure
      const thread = createFakeHostedThread(request, options)
      opened.push(thread)
      return thread.hosted
    },
    listModels: async () => [],
    dispose: async () => undefined,
  }
}
