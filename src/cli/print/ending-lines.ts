import type { EnsoModelState, EnsoResultLine, EnsoSessionUsage } from '../../core/index.js'
import { plural } from '../../core/plural.js'
import { count, duration } from './layout.js'
import { sanitizeLine } from './sanitize.js'

/** What a run, or a process's runs, cost, in one line. */
export function usageLine(
  result: Pick<EnsoResultLine, 'usage' | 'cost' | 'turns' | 'durationMs'> & { readonly threadId?: string | null },
  session: EnsoSessionUsage | undefined,
  model: EnsoModelState | undefined,
): string {
  const { input, output, cacheRead, cacheWrite } = result.usage
  const cached = cacheRead + cacheWrite === 0 ? '' : ` (+${count(cacheRead + cacheWrite)} cached)`
  const parts = [`${count(input)} in${cached}`, `${count(output)} out`]
  if (result.cost > 0) parts.push(dollars(result.cost))
  parts.push(plural(result.turns, 'turn'), duration(result.durationMs))
  const percent = session?.context?.percent
  if (typeof percent === 'number') parts.push(`${Math.round(percent)} % of context`)
  if (model !== undefined && model.model !== null) parts.push(sanitizeLine(`${model.model.provider}/${model.model.id}`))
  if (typeof result.threadId === 'string') parts.push(`thread ${result.threadId}`)
  return parts.join(' · ')
}

function dollars(cost: number): string {
  if (cost < 0.0001) return '<$0.0001'
  return `$${cost.toFixed(cost < 0.01 ? 4 : 2)}`
}

/** Why the outcome is not `done` and what to do about it; no lines when it is. */
export function outcomeLines({
  outcome,
  reason,
  hint,
}: Pick<EnsoResultLine, 'outcome' | 'reason' | 'hint'>): readonly string[] {
  if (outcome === 'done') return []
  const why = reason === undefined ? outcome : `${outcome}: ${sanitizeLine(reason)}`
  return hint === undefined ? [why] : [why, `  ${sanitizeLine(hint)}`]
}

/** Prompts that waited when the run was stopped, as they were typed. */
export function restoredLines(restored: readonly string[]): readonly string[] {
  if (restored.length === 0) return []
  return ['not sent any more:', ...restored.map((text) => `  ${sanitizeLine(text)}`)]
}
