import {
  type EnsoObservation,
  type EnsoProviderRefusal,
  type EnsoRunUsage,
  readEnsoGuardDenial,
  readEnsoPermissionDenial,
} from '../../core/index.js'

/** What the observations of one run come to. */
export interface RunTally {
  /** The last reply's text. */
  readonly text: string
  readonly usage: EnsoRunUsage
  readonly cost: number
  /** Model requests that ended in a message. */
  readonly turns: number
  /** Did the model get asked at all? A command of an extension may settle without it. */
  readonly asked: boolean
  readonly toolCalls: number
  /** Calls denied, by the rule that denied them. */
  readonly denials: Readonly<Record<string, number>>
  readonly deniedCalls: number
  readonly providerRefusal: EnsoProviderRefusal | undefined
  /** Why a prompt of the run was refused before it began. */
  readonly rejected: string | undefined
  /** Handlers of extensions that threw. */
  readonly extensionErrors: number
}

/** Folds observations; `reset` begins the next run and keeps only the questions that wait. */
export interface RunTallier {
  observe(observation: EnsoObservation): void
  /** Takes what has been replied meanwhile from a snapshot: what came before it was missed. */
  catchUp(texts: ReadonlyMap<number, string>): void
  tally(): RunTally
  /** Questions that wait for an answer, oldest first. */
  openDialogs(): ReadonlySet<string>
  reset(): void
}

interface Folded {
  text: string
  usage: EnsoRunUsage
  cost: number
  turns: number
  asked: boolean
  toolCalls: number
  denials: Map<string, number>
  deniedCalls: Set<string>
  refusal: EnsoProviderRefusal | undefined
  rejected: string | undefined
  extensionErrors: number
}

const nothing = (): Folded => ({
  text: '',
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  cost: 0,
  turns: 0,
  asked: false,
  toolCalls: 0,
  denials: new Map(),
  deniedCalls: new Set(),
  refusal: undefined,
  rejected: undefined,
  extensionErrors: 0,
})

/** Observations of a thread, summed up run by run: everything a result says that the feed has said before. */
export function createRunTallier(): RunTallier {
  let run = nothing()
  const openDialogs = new Set<string>()
  // The message that streams, by content block: a reply's blocks may take turns.
  let streaming = new Map<number, string[]>()

  const streamed = (): string => {
    const blocks = [...streaming.entries()].sort(([a], [b]) => a - b).map(([, parts]) => parts.join(''))
    return blocks.join('\n\n')
  }

  function messageEnded(observation: Extract<EnsoObservation, { kind: 'message-end' }>): void {
    if (observation.role !== 'assistant') return
    run.turns++
    run.text = streamed()
    streaming = new Map()
    const { usage } = observation
    if (!usage) return
    run.usage = {
      input: run.usage.input + usage.input,
      output: run.usage.output + usage.output,
      cacheRead: run.usage.cacheRead + usage.cacheRead,
      cacheWrite: run.usage.cacheWrite + usage.cacheWrite,
    }
    run.cost += usage.totalCost ?? 0
  }

  function entryStored(customType: string, data: unknown): void {
    const byGuard = readEnsoGuardDenial(customType, data)
    const byPermission = readEnsoPermissionDenial(customType, data)
    const rule = byGuard?.rule ?? (byPermission && `permission-${byPermission.by}`)
    const toolCallId = byGuard?.toolCallId ?? byPermission?.toolCallId
    if (rule === undefined || toolCallId === undefined) return
    run.denials.set(rule, (run.denials.get(rule) ?? 0) + 1)
    run.deniedCalls.add(toolCallId)
  }

  function observe(observation: EnsoObservation): void {
    switch (observation.kind) {
      case 'text-delta': {
        const parts = streaming.get(observation.contentIndex)
        if (parts) parts.push(observation.delta)
        else streaming.set(observation.contentIndex, [observation.delta])
        break
      }
      case 'turn-start':
        run.asked = true
        run.refusal = undefined
        break
      case 'message-start':
        if (observation.role !== 'assistant') break
        streaming = new Map()
        run.asked = true
        run.refusal = undefined
        break
      case 'message-end':
        messageEnded(observation)
        break
      case 'tool-call':
        run.toolCalls++
        break
      case 'provider-refused': {
        const { kind: _kind, ...refusal } = observation
        run.asked = true
        run.refusal = refusal
        break
      }
      case 'prompt-rejected':
        run.rejected = observation.reason
        break
      case 'extension-ui-request':
        if (observation.blocking) openDialogs.add(observation.id)
        break
      case 'dialog-settled':
        openDialogs.delete(observation.id)
        break
      case 'custom-entry':
        entryStored(observation.customType, observation.data)
        break
      case 'extension-error':
        run.extensionErrors++
        break
      default:
    }
  }

  return {
    observe,
    catchUp(texts) {
      if (texts.size > 0) streaming = new Map([...texts].map(([index, text]) => [index, [text]]))
    },
    tally: () => ({
      text: streaming.size > 0 ? streamed() : run.text,
      usage: run.usage,
      cost: run.cost,
      turns: run.turns,
      asked: run.asked,
      toolCalls: run.toolCalls,
      denials: Object.fromEntries(run.denials),
      deniedCalls: run.deniedCalls.size,
      providerRefusal: run.refusal,
      rejected: run.rejected,
      extensionErrors: run.extensionErrors,
    }),
    openDialogs: () => openDialogs,
    reset() {
      run = nothing()
      streaming = new Map()
    },
  }
}
