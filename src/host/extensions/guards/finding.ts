import { ENSO_GUARD_RULES, type EnsoGuardRule } from '../../../core/index.js'

/** One reason to refuse a call. */
export interface Finding {
  readonly rule: EnsoGuardRule
  /** For the model and the person: the thing, the rule's sense and a permitted way out. Holds no secret's value. */
  readonly reason: string
}

/** What the guards say about one call. */
export type GuardDecision = { readonly kind: 'allow' } | ({ readonly kind: 'deny' } & Finding)

/** The one answer for a call that nothing refuses. */
export const ALLOW: GuardDecision = { kind: 'allow' }

/** The finding that names the denial: the earliest rule in `ENSO_GUARD_RULES`, and of one rule the first found. */
export function firstFinding(findings: readonly Finding[]): Finding | undefined {
  let best: Finding | undefined
  for (const finding of findings) {
    if (best === undefined || ENSO_GUARD_RULES.indexOf(finding.rule) < ENSO_GUARD_RULES.indexOf(best.rule))
      best = finding
  }
  return best
}

/** Findings as a decision. */
export function decisionOf(findings: readonly Finding[]): GuardDecision {
  const finding = firstFinding(findings)
  return finding === undefined ? ALLOW : { kind: 'deny', rule: finding.rule, reason: finding.reason }
}

/** A path or command as a reason shows it: on one line, without control or invisible characters, cut at `length`. */
export function shown(text: string, length = 160): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Co}\u2028\u2029]+/gu, '…')
  return clean.length > length ? `${clean.slice(0, length - 1)}…` : clean
}
