import { randomUUID } from 'node:crypto'
import { ensoLogger, validateDialogAnswer } from '../../core/index.js'
import type {
  DialogAnswer,
  DialogEndedBy,
  DialogPolicy,
  EnsoDialogAnswer,
  EnsoDialogOutcome,
  EnsoDialogSpec,
  EnsoOpenDialog,
} from '../../core/index.js'
import type { ObservationHub } from '../observe/observation-hub.js'
import { currentToolCall } from './tool-call-context.js'

const log = ensoLogger('host', 'dialogs')

/** Longer than any run: the timer only keeps the process alive while somebody is asked. */
const KEEP_ALIVE_MS = 2 ** 30

/** How one wait may end besides by an answer. */
export interface AskOptions {
  readonly signal?: AbortSignal | undefined
  /** The asker's own deadline, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /** Told how the wait ended, before `ask` resolves; not where there was no wait. */
  readonly ended?: (outcome: EnsoDialogOutcome) => void
}

/** The questions a thread waits on. Every way a wait can stop goes through one place. */
export interface PendingDialogs {
  /** Resolves to a valid answer, or to `undefined` however else the wait ended. */
  readonly ask: (spec: EnsoDialogSpec, options?: AskOptions) => Promise<EnsoDialogAnswer | undefined>
  /** An unknown or spent id is logged, never thrown: nobody waits on it. */
  readonly answer: (response: DialogAnswer) => void
  /** Oldest first. */
  readonly open: () => EnsoOpenDialog[]
  /** Ends every open question as cancelled (the session goes away). */
  readonly cancelAll: () => void
  /** Ends every open question as aborted (the run is being stopped). */
  readonly abortAll: () => void
  /** Until `settled` settles a new question ends at once as aborted, and no card is shown. */
  readonly refuseUntil: (settled: Promise<unknown>) => void
  /** After this no question opens any more. */
  readonly close: () => void
  readonly count: () => number
}

interface Pending {
  readonly id: string
  readonly spec: EnsoDialogSpec
  finish(outcome: EnsoDialogOutcome, by: DialogEndedBy, answer?: EnsoDialogAnswer): void
}

/** The smaller of two deadlines; 0 and absence wait for ever. */
function earliest(...deadlines: (number | undefined)[]): number | undefined {
  const real = deadlines.filter((ms) => ms !== undefined && ms > 0) as number[]
  return real.length === 0 ? undefined : Math.min(...real)
}

function withTimeout(spec: EnsoDialogSpec, timeout: number | undefined): EnsoDialogSpec {
  if (timeout === undefined || spec.method === 'editor' || spec.method === 'questionnaire') return spec
  return { ...spec, timeout }
}

function isSecret(spec: EnsoDialogSpec): boolean {
  return spec.method === 'input' && spec.secret === true
}

/** Keeps the questions of one thread, asks the policy about each, and says on the feed how each one ended. */
export function createPendingDialogs(hub: ObservationHub, policy: DialogPolicy): PendingDialogs {
  const pending = new Map<string, Pending>()
  let refusals = 0
  let closed = false
  let keepAlive: NodeJS.Timeout | undefined

  function holdProcess(): void {
    if (pending.size > 0) keepAlive ??= setInterval(() => undefined, KEEP_ALIVE_MS)
    else if (keepAlive) {
      clearInterval(keepAlive)
      keepAlive = undefined
    }
  }

  function tellPolicy(id: string, spec: EnsoDialogSpec, outcome: EnsoDialogOutcome, by: DialogEndedBy): void {
    try {
      policy.ended({ id, method: spec.method, title: spec.title, outcome, by })
    } catch (error) {
      log.error('the dialog policy threw on the end of a question', { error: String(error) })
    }
  }

  function announce(id: string, dialog: EnsoDialogSpec): void {
    hub.emit({
      kind: 'extension-ui-request',
      id,
      method: dialog.method,
      blocking: true,
      origin: hub.origin(),
      dialog,
    })
  }

  function ruleAnswer(spec: EnsoDialogSpec): EnsoDialogAnswer | undefined {
    if (isSecret(spec)) return undefined
    const answer = policy.ruleFor(spec, { toolName: currentToolCall()?.toolName })
    if (answer === undefined) return undefined
    const refusal = validateDialogAnswer(spec, answer)
    if (refusal !== undefined) log.warn('a standing answer does not fit its question: {refusal}', { refusal })
    return refusal === undefined ? answer : undefined
  }

  function endAtOnce(id: string, spec: EnsoDialogSpec, outcome: EnsoDialogOutcome, by: DialogEndedBy): void {
    announce(id, spec)
    hub.emit({ kind: 'dialog-settled', id, outcome })
    tellPolicy(id, spec, outcome, by)
  }

  function wait(id: string, asked: EnsoDialogSpec, options: AskOptions): Promise<EnsoDialogAnswer | undefined> {
    const timeout = earliest(options.timeoutMs, policy.timeoutMs())
    const spec = withTimeout(asked, timeout)
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined
      const onAbort = (): void => entry.finish('aborted', 'asker')
      const entry: Pending = {
        id,
        spec,
        finish(outcome, by, answer) {
          if (!pending.delete(id)) return
          clearTimeout(timer)
          options.signal?.removeEventListener('abort', onAbort)
          holdProcess()
          hub.emit({ kind: 'dialog-settled', id, outcome })
          tellPolicy(id, spec, outcome, by)
          options.ended?.(outcome)
          resolve(answer)
        },
      }
      pending.set(id, entry)
      holdProcess()
      options.signal?.addEventListener('abort', onAbort, { once: true })
      if (timeout !== undefined) timer = setTimeout(() => entry.finish('timeout', 'timeout'), timeout)
      announce(id, spec)
    })
  }

  function endAll(outcome: EnsoDialogOutcome, by: DialogEndedBy): void {
    for (const entry of pending.values()) entry.finish(outcome, by)
  }

  return {
    async ask(spec, options = {}) {
      const id = randomUUID()
      if (refusals > 0 || closed) {
        tellPolicy(id, spec, 'aborted', 'stop')
        return undefined
      }
      if (options.signal?.aborted) {
        endAtOnce(id, spec, 'aborted', 'asker')
        return undefined
      }
      if (policy.canAsk()) return wait(id, spec, options)
      const answer = ruleAnswer(spec)
      endAtOnce(id, spec, answer ? 'answered' : 'cancelled', answer ? 'rule' : 'policy')
      return answer
    },
    answer(response) {
      const entry = pending.get(response.id)
      if (!entry) {
        log.warn('an answer came for a question nobody waits on', { id: response.id })
        return
      }
      if (response.cancelled === true) {
        entry.finish('cancelled', 'answer')
        return
      }
      const { id: _id, ...payload } = response
      const refusal = validateDialogAnswer(entry.spec, payload)
      if (refusal === undefined) entry.finish('answered', 'answer', payload)
      else log.warn('an answer does not fit its question: {refusal}', { id: response.id, refusal })
    },
    open: () => [...pending.values()].map(({ id, spec }) => ({ id, dialog: spec })),
    cancelAll: () => endAll('cancelled', 'stop'),
    abortAll: () => endAll('aborted', 'stop'),
    refuseUntil(settled) {
      refusals++
      settled
        .catch(() => undefined)
        .finally(() => {
          refusals--
        })
    },
    close() {
      closed = true
      endAll('cancelled', 'stop')
    },
    count: () => pending.size,
  }
}
