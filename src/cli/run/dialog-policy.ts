import { type DialogEnd, type DialogPolicy, type EnsoDialogCounts, ensoLogger } from '../../core/index.js'
import type { AnswerRules } from './answers.js'

/** How long a question over JSON lines waits unless told otherwise: 10 minutes, in milliseconds. */
export const JSON_DIALOG_TIMEOUT_MS = 10 * 60 * 1000

const log = ensoLogger('host', 'dialog-policy')

/** By what a question of a run is answered, before anybody is asked. */
export interface DialogPolicyOptions {
  /**
   * `terminal`: a person, where there is one to ask. `lines`: a program that may send answer lines. `nobody`: there is
   * no way to answer.
   */
  readonly channel: 'terminal' | 'lines' | 'nobody'
  /** Is there, now, a way an answer could come in? */
  readonly channelOpen: () => boolean
  /** `--auto-cancel-dialogs`. */
  readonly neverAsk: boolean
  readonly rules: AnswerRules | undefined
  /** `--dialog-timeout`: milliseconds, 0 for ever, `undefined` the channel's own default. */
  readonly timeoutMs: number | undefined
  /** Something a person should know: a rule was used. */
  readonly note: (text: string) => void
}

/** The policy the host asks, and what became of the questions. */
export interface DialogLedger {
  readonly policy: DialogPolicy
  /** A request line came: somebody is there. */
  heardFrom(): void
  /** No answer can come any more: questions asked from now on end at once. */
  channelClosed(): void
  /** This question is being cancelled because nobody can answer it, not because somebody cancelled it. */
  unattended(id: string): void
  counts(): EnsoDialogCounts
  /** How many questions ended because nobody could answer them. */
  blocked(): number
}

/** The one decision about questions in a process: can somebody answer now, and what happens when nobody can. */
export function createDialogLedger(options: DialogPolicyOptions): DialogLedger {
  const counts = { answered: 0, byRule: 0, cancelled: 0, timedOut: 0, aborted: 0 }
  const leftAlone = new Set<string>()
  let blocked = 0
  let heard = false
  let closed = false
  // A program that let a question run out and never said a word is not listening for the next one either.
  let deaf = false

  function countEnd({ id, outcome, by }: DialogEnd): void {
    if (by === 'rule') counts.byRule++
    else if (outcome === 'answered') counts.answered++
    else if (outcome === 'timeout') counts.timedOut++
    else if (outcome === 'aborted') counts.aborted++
    else counts.cancelled++
    if (by === 'timeout' && options.channel === 'lines' && !heard) deaf = true
    const abandoned = leftAlone.delete(id) && outcome === 'cancelled'
    if (by === 'policy' || by === 'timeout' || abandoned) blocked++
  }

  return {
    policy: {
      canAsk: () => !options.neverAsk && !closed && !deaf && options.channel !== 'nobody' && options.channelOpen(),
      ruleFor(dialog, context) {
        const taken = options.rules?.(dialog, context)
        if (taken === undefined) return undefined
        log.info('standing answer {rule} was used for a {method} question', { rule: taken.rule, method: dialog.method })
        options.note(`answered by rule ${taken.rule}: ${dialog.title}`)
        return taken.answer
      },
      mayHaveRule: (method, context) => options.rules?.mayAnswer(method, context) ?? false,
      timeoutMs() {
        const standard = options.channel === 'lines' ? JSON_DIALOG_TIMEOUT_MS : 0
        return (options.timeoutMs ?? standard) || undefined
      },
      ended: countEnd,
    },
    heardFrom: () => void (heard = true),
    channelClosed: () => void (closed = true),
    unattended: (id) => void leftAlone.add(id),
    counts: () => ({ ...counts }),
    blocked: () => blocked,
  }
}
