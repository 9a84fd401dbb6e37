import { matchesGlob } from './glob.js'

/** One rule of a person: a tool, and where it has one, a pattern its subject must match as a whole. */
export interface PermissionRule {
  readonly tool: string
  readonly pattern: string | undefined
  /** The pattern is the subject itself: what was allowed once is allowed again, and a `*` in it is a star. */
  readonly exact?: boolean
  /** As it was written, for messages. */
  readonly text: string
}

/** The person's rules. They can only be theirs: no file of a workspace is read for them. */
export interface PermissionRules {
  readonly allow: readonly PermissionRule[]
  readonly ask: readonly PermissionRule[]
  readonly deny: readonly PermissionRule[]
}

export const NO_RULES: PermissionRules = { allow: [], ask: [], deny: [] }

const RULE = /^([A-Za-z_][\w-]*)(?:\((.+)\))?$/s

/**
 * Reads one rule: `tool` or `tool(pattern)`, where `*` stands for any text: `bash(npm run *)`, `write(src/*)`.
 * @returns the rule, or why it is none
 */
export function parsePermissionRule(
  text: string,
): { kind: 'rule'; rule: PermissionRule } | { kind: 'bad'; reason: string } {
  const match = RULE.exec(text.trim())
  if (match === null) return { kind: 'bad', reason: `'${text}' is not a rule: write tool or tool(pattern)` }
  return { kind: 'rule', rule: { tool: match[1] ?? '', pattern: match[2], text: text.trim() } }
}

/** What a call is judged by: the tool, and each part of it (a compound command has several) in its spellings. */
export interface RuleSubject {
  readonly tool: string
  /** One list a part: the spellings a rule may use for it (a path whole and within the workspace), an exact one the first. */
  readonly parts: readonly (readonly string[])[]
  /** Those of the parts that need an allowance: a command that only reads needs none. */
  readonly toAllow: readonly (readonly string[])[]
  /** Files it writes beside: they need an allowance too where the mode doesn't let files be changed. */
  readonly writes: readonly (readonly string[])[]
  /** A part of it is only known when it runs: no rule may allow what it can't read. */
  readonly dynamic: boolean
}

function matches({ tool, pattern, exact }: PermissionRule, name: string, part: readonly string[]): boolean {
  if (tool !== name) return false
  if (pattern === undefined) return true
  return exact === true ? part[0] === pattern : part.some((text) => matchesGlob(pattern, text))
}

/** The first rule that speaks to ANY part of the call: how denials and questions are looked up. */
export function ruleForAny(rules: readonly PermissionRule[], { tool, parts }: RuleSubject): PermissionRule | undefined {
  return rules.find(
    (rule) => rule.tool === tool && (rule.pattern === undefined || parts.some((part) => matches(rule, tool, part))),
  )
}

/** Do the rules allow EVERY part of the call? One that can't be read is allowed only by a rule without a pattern. */
export function allowedByRules(rules: readonly PermissionRule[], { tool, toAllow, dynamic }: RuleSubject): boolean {
  if (rules.some((rule) => rule.tool === tool && rule.pattern === undefined)) return true
  if (dynamic || toAllow.length === 0) return false
  return toAllow.every((part) => rules.some((rule) => matches(rule, tool, part)))
}
