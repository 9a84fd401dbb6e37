import { EnsoError } from '../../../core/enso-error.js'
import type { EnsoPermissionRules } from '../../../core/user-config.js'
import { parsePermissionRule, type PermissionRule, type PermissionRules } from './rules.js'

/**
 * The person's rules: of their configuration, and of this start's flags.
 *
 * @throws EnsoError `bad-config` naming the text that is no rule: a rule that is dropped would not guard
 */
export function permissionRulesOf(
  configured: EnsoPermissionRules | undefined,
  allowed: readonly string[],
  denied: readonly string[],
): PermissionRules {
  return {
    allow: parseAll([...(configured?.allow ?? []), ...allowed]),
    ask: parseAll(configured?.ask ?? []),
    deny: parseAll([...(configured?.deny ?? []), ...denied]),
  }
}

function parseAll(texts: readonly string[]): PermissionRule[] {
  return texts.map((text) => {
    const parsed = parsePermissionRule(text)
    if (parsed.kind === 'rule') return parsed.rule
    throw new EnsoError('bad-config', `permissions: ${parsed.reason}`)
  })
}
