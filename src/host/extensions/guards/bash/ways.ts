import type { Shell } from './context.js'
import { mergeVariables, restoreVariables } from './state.js'

/** More ways for one command to run than this are not judged but refused. */
const MAX_WAYS = 512

/**
 * Does something once for each way the variables it meets may stand (after a branch, in a loop), and leaves what it
 * assigned in any of them as possibilities. Inside another such walk the outer one's way is taken, so that one variable
 * is one thing throughout.
 */
export function everyWay<T>({ run, state }: Shell, once: () => T): T[] {
  if (run.picking) return [once()]
  run.picking = true
  run.picks.clear()
  run.choices.clear()
  try {
    const start = new Map(state.variables)
    const results = [once()]
    const ways = [...run.choices]
    const count = ways.reduce((product, [, choices]) => product * choices, 1)
    if (count === 1) return results
    if (count > MAX_WAYS) run.doubt ??= 'the command can run in too many ways'
    const ends = [new Map(state.variables)]
    for (let way = 1; way < Math.min(count, MAX_WAYS) && run.doubt === undefined; way++) {
      let rest = way
      for (const [name, choices] of ways) {
        run.picks.set(name, rest % choices)
        rest = Math.floor(rest / choices)
      }
      restoreVariables(state, start)
      results.push(once())
      ends.push(new Map(state.variables))
    }
    mergeVariables(state, ends)
    return results
  } finally {
    run.picking = false
    run.picks.clear()
  }
}

/** Does what may or may not happen: afterwards the variables stand as before or as it left them. */
export function perhaps<T>({ state }: Shell, body: () => T): T {
  const before = new Map(state.variables)
  const result = body()
  mergeVariables(state, [new Map(state.variables), before])
  return result
}
