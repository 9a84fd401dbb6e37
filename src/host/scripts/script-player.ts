import { type EnsoScript, type EnsoScriptStep, type EnsoScriptTurn, isScriptChoice } from '../../core/index.js'

/** What a turn may be chosen or checked by. */
export interface ScriptSituation {
  /** Text of the results of the last tool calls; empty when there were none. */
  readonly lastResult: string
  /** Text of the person's last message. */
  readonly lastPrompt: string
}

/** The turn to play, counted from 1 within its thread, or why there is none. */
export type NextTurn =
  | { readonly ok: true; readonly turn: EnsoScriptTurn; readonly ordinal: number }
  | { readonly ok: false; readonly reason: string }

/** Hands out a script's turns, each thread from the first. */
export interface ScriptPlayer {
  /** `threadKey` is `undefined` for a request that belongs to no run: a summary. */
  next(threadKey: string | undefined, situation: ScriptSituation): NextTurn
}

interface Place {
  steps: readonly EnsoScriptStep[]
  played: number
}

/** A player over one script. Its place in the script lives as long as the process. */
export function createScriptPlayer(script: EnsoScript): ScriptPlayer {
  const threads = new Map<string, Place>()
  const summaries: Place = { steps: script.summaries ?? [], played: 0 }

  function placeOf(threadKey: string | undefined): Place {
    if (threadKey === undefined) return summaries
    let place = threads.get(threadKey)
    if (!place) threads.set(threadKey, (place = { steps: script.turns, played: 0 }))
    return place
  }

  return {
    next: (threadKey, situation) => {
      const place = placeOf(threadKey)
      const [step, ...rest] = place.steps
      if (!step) {
        const what = threadKey === undefined ? 'summaries' : 'turns'
        return refused(`the script is over: its ${place.played} ${what} have been played`)
      }
      if (!isScriptChoice(step)) {
        place.steps = rest
        return played(place, step, situation)
      }
      const branch = step.branches.find(({ ifLastResultIncludes }) =>
        situation.lastResult.includes(ifLastResultIncludes),
      )
      const turns = branch?.turns ?? step.otherwise
      if (!turns) return refused(`no branch of the script fits the last tool result: ${excerpt(situation.lastResult)}`)
      place.steps = [...turns.slice(1), ...rest]
      return played(place, turns[0]!, situation)
    },
  }
}

function played(place: Place, turn: EnsoScriptTurn, situation: ScriptSituation): NextTurn {
  const ordinal = ++place.played
  const { lastResultIncludes: result, lastPromptIncludes: prompt } = turn.expect ?? {}
  if (result !== undefined && !situation.lastResult.includes(result)) {
    return refused(
      `turn ${ordinal} of the script expects a tool result with ${JSON.stringify(result)}, ` +
        `the last one is ${excerpt(situation.lastResult)}`,
    )
  }
  if (prompt !== undefined && !situation.lastPrompt.includes(prompt)) {
    return refused(
      `turn ${ordinal} of the script expects a prompt with ${JSON.stringify(prompt)}, ` +
        `the last one is ${excerpt(situation.lastPrompt)}`,
    )
  }
  return { ok: true, turn, ordinal }
}

function refused(reason: string): NextTurn {
  return { ok: false, reason }
}

function excerpt(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
}
