import { type EnsoOutcome, type EnsoProviderRefusal, providerRefusalClass, type RunFacts } from '../../core/index.js'

/** What to do about an outcome, where what caused it did not say so itself. */
export function outcomeHint(outcome: EnsoOutcome, facts: RunFacts, threadId: string | undefined): string | undefined {
  switch (outcome) {
    case 'blocked':
      return facts.dialogsBlocked > 0
        ? 'answer on a terminal, or give standing answers: --answers FILE'
        : 'name what may be done: --allow-tool RULE; enso guard check -- COMMAND says what the guard refuses'
    case 'limit':
      return threadId === undefined ? undefined : `go on from here with: enso -r ${threadId} "…"`
    case 'provider':
      return facts.providerRefusal === undefined ? undefined : providerHint(facts.providerRefusal)
    case 'busy':
      return 'wait for it, or replace its lock with --take-over'
    case 'not-found':
      return 'enso threads lists what there is'
    default:
      return undefined
  }
}

function providerHint(refusal: EnsoProviderRefusal): string | undefined {
  switch (providerRefusalClass(refusal)) {
    case 'not logged in':
      return 'enso login stores a key; enso doctor says which credentials there are'
    case 'rate-limited':
      return 'wait, or choose another model with -m; enso models lists what can be used now'
    case 'model refused':
      return 'enso models lists what can be used now; -m chooses one'
    default:
      return undefined
  }
}
