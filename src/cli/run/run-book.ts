import {
  type AbortCause,
  decideOutcome,
  type EnsoFollowFrame,
  type EnsoRunSummary,
  type LimitHit,
  type RunDecision,
  type RunFacts,
  type StructuredAnswer,
} from '../../core/index.js'
import { lastReplyOf } from './last-reply.js'
import { createRunTallier, type RunTally } from './run-facts.js'

/** One run that is over. */
export interface RunRecord {
  readonly generation: number
  readonly tally: RunTally
  readonly facts: RunFacts
  /** The answer that fits its schema, where there is one. */
  readonly structured?: { readonly value: unknown }
  readonly durationMs: number
}

/** What the book asks of the world around it at the moments it matters. */
export interface RunBookOptions {
  readonly now: () => number
  /** Why the model's last reply ended, in the runtime's word. */
  readonly stopReason: () => string | undefined
  /** What came of the model's answer, where it must fit a schema. */
  readonly structured?: () => StructuredAnswer | undefined
  /** Questions so far that nobody could answer. */
  readonly dialogsBlocked: () => number
  readonly canAsk: () => boolean
  readonly onBegin: () => void
  readonly onEnd: (record: RunRecord) => void
  /** Something was observed. `waiting`: a question waits. */
  readonly onStir: (waiting: boolean) => void
  /** Nothing runs and nothing is asked for any more. Called each time it becomes so. */
  readonly onQuiet: () => void
}

/** The runs of one process, one after another, as its frames tell them. */
export interface RunBook {
  frame(frame: EnsoFollowFrame): void
  /** A request is put to the thread; the returned function says that it was answered. */
  asking(): () => void
  /** A prompt was admitted under this generation: its run is still owed if it has not ended. */
  owed(generation: number): void
  /**
   * A Stop is put to the run that goes, or to the one that is about to: `asked` says that a prompt is on its way to the
   * thread. The returned function says that it was answered: what begins later is not stopped by it.
   */
  aborted(cause: AbortCause, asked: boolean): () => void
  /** A bound stopped the run that goes. */
  limited(hit: LimitHit): void
  /** Does the run go on that this bound was to stop? */
  isLimited(hit: LimitHit): boolean
  isBusy(): boolean
  isQuiet(): boolean
  openDialogs(): readonly string[]
  /** The runs that are over, and the one that goes as far as it has come. */
  records(): readonly RunRecord[]
}

interface Going {
  readonly generation: number
  readonly startedAt: number
  readonly blockedBefore: number
  aborted: AbortCause | undefined
  limit: LimitHit | undefined
}

export function createRunBook(options: RunBookOptions): RunBook {
  const tallier = createRunTallier()
  const over: RunRecord[] = []
  let going: Going | undefined
  let asked = 0
  let owed = 0
  let ended = 0
  let stopsNext: AbortCause | undefined

  function record({ generation, startedAt, blockedBefore, aborted, limit }: Going): RunRecord {
    const tally = tallier.tally()
    const { toolCalls, deniedCalls, asked: modelAsked, rejected } = tally
    const stopReason = modelAsked ? options.stopReason() : undefined
    const answer = modelAsked ? options.structured?.() : undefined
    const facts: RunFacts = {
      aborted,
      limit,
      providerRefusal: tally.providerRefusal,
      failed: modelAsked ? missing(answer, stopReason) : rejected,
      withoutRun: !modelAsked && rejected === undefined,
      replyText: tally.text,
      structured: answer?.ok,
      stopReason,
      dialogsBlocked: options.dialogsBlocked() - blockedBefore,
      deniedAll: toolCalls > 0 && deniedCalls >= toolCalls && !options.canAsk(),
    }
    const structured = answer?.ok === true ? { structured: { value: answer.value } } : {}
    return { generation, tally, facts, ...structured, durationMs: options.now() - startedAt }
  }

  function status(busy: boolean, generation: number): void {
    if (busy && going === undefined) {
      tallier.reset()
      const blockedBefore = options.dialogsBlocked()
      going = { generation, startedAt: options.now(), blockedBefore, aborted: stopsNext, limit: undefined }
      stopsNext = undefined
      options.onBegin()
    } else if (!busy && going !== undefined) {
      const last = record(going)
      over.push(last)
      ended = Math.max(ended, going.generation)
      going = undefined
      options.onEnd(last)
      quietMaybe()
    }
  }

  const isQuiet = (): boolean => going === undefined && asked === 0 && ended >= owed
  const quietMaybe = (): void => {
    if (isQuiet()) options.onQuiet()
  }

  return {
    frame(frame) {
      if (frame.type === 'observation') tallier.observe(frame.observation)
      else {
        if (frame.type === 'snapshot' && going !== undefined) tallier.catchUp(lastReplyOf(frame))
        status(frame.busy, frame.generation)
      }
      options.onStir(tallier.openDialogs().size > 0)
    },
    asking() {
      let answered = false
      asked++
      return () => {
        if (answered) return
        answered = true
        asked--
        quietMaybe()
      }
    },
    owed: (generation) => void (owed = Math.max(owed, generation)),
    aborted(cause, promptAsked) {
      if (going) going.aborted ??= cause
      else if (promptAsked || ended < owed) stopsNext ??= cause
      return () => {
        // A run that is owed and was not seen to begin still has its frames to come.
        if (ended >= owed) stopsNext = undefined
      }
    },
    limited: (hit) => {
      if (going) going.limit ??= hit
    },
    isLimited: (hit) => going?.limit === hit,
    isBusy: () => going !== undefined,
    isQuiet,
    openDialogs: () => [...tallier.openDialogs()],
    records: () => (going === undefined ? [...over] : [...over, record(going)]),
  }
}

/** Why a reply that came to its own end has no answer; of any other end the end itself is the reason. */
function missing(answer: StructuredAnswer | undefined, stopReason: string | undefined): string | undefined {
  const cut = stopReason === 'length' || stopReason === 'error' || stopReason === 'aborted'
  return answer?.ok === false && !cut ? answer.reason : undefined
}

/** One run as the result of several lists it. */
export function summaryOf({ generation, tally, facts, durationMs }: RunRecord): EnsoRunSummary {
  const { outcome, exitCode, reason }: RunDecision = decideOutcome(facts)
  return {
    generation,
    outcome,
    exitCode,
    turns: tally.turns,
    durationMs,
    cost: tally.cost,
    ...(reason === undefined ? {} : { reason }),
  }
}
