import type { EnsoPermissionModeName } from '../../../core/mode-names.js'
import { verdictOf, type CallKind } from './decide.js'
import { allowedByRules, ruleForAny, type PermissionRules, type PermissionRule, type RuleSubject } from './rules.js'

/** What is decided about a call before anybody is asked. `why` names the rule or mode that decides. */
export type Judgement =
  | { readonly kind: 'allow' }
  | { readonly kind: 'deny'; readonly why: string; readonly by: 'mode' | 'rule' }
  | { readonly kind: 'ask'; readonly why: string }

export interface JudgedCall {
  readonly kind: CallKind
  readonly subject: RuleSubject
}

/**
 * The order of authority behind the guard, which has spoken before: the person's denials, the person's questions, the
 * mode, and last the allowances, which turn a question into a yes and never a denial, except where the mode's denial
 * only means that nobody is there to be asked (`dontAsk`).
 */
export function judge(
  call: JudgedCall,
  mode: EnsoPermissionModeName,
  rules: PermissionRules,
  allowedForSession: readonly PermissionRule[],
): Judgement {
  const denied = ruleForAny(rules.deny, call.subject)
  if (denied !== undefined) return { kind: 'deny', why: `the rule '${denied.text}' denies it`, by: 'rule' }
  const asked = ruleForAny(rules.ask, call.subject)
  const verdict = verdictOf(mode, call.kind)
  if (asked !== undefined && verdict !== 'deny') return { kind: 'ask', why: `the rule '${asked.text}' asks` }
  if (verdict === 'allow') return { kind: 'allow' }
  const { toAllow, writes } = call.subject
  const subject =
    verdictOf(mode, 'shell-files') === 'allow' ? call.subject : { ...call.subject, toAllow: [...toAllow, ...writes] }
  const allowed = allowedByRules([...rules.allow, ...allowedForSession], subject)
  if (allowed && asked === undefined && (verdict === 'ask' || mode === 'dontAsk')) return { kind: 'allow' }
  return verdict === 'ask'
    ? { kind: 'ask', why: `permission mode ${mode} asks` }
    : { kind: 'deny', why: `permission mode ${mode} does not allow it`, by: 'mode' }
}
