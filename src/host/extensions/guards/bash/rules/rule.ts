import type { EnsoGuardRule } from '../../../../../core/index.js'
import type { Finding } from '../../finding.js'
import type { CommandFacts } from '../context.js'

/** A rule over one simple command. */
export interface BashRule {
  readonly rule: EnsoGuardRule
  /** Commands it refuses, and neighbours of theirs it lets through: run by a test, each in a plain world. */
  readonly match: readonly string[]
  readonly notMatch: readonly string[]
  judge(facts: CommandFacts): readonly Finding[]
}
