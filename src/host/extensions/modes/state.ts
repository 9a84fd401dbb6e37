import {
  ENSO_PERMISSION_MODE_ENTRY,
  ENSO_PERMISSION_MODES,
  ENSO_SESSION_ALLOW_ENTRY,
  isEnsoPermissionModeName,
  type EnsoPermissionModeName,
} from '../../../core/mode-names.js'
import { parsePermissionRule, type PermissionRule } from './rules.js'

/** Who changed the mode. */
export type ModeChangedBy = 'user' | 'flag' | 'host'

export interface ModeStateDeps {
  /** The flag of this start, when there was one. */
  readonly flag: EnsoPermissionModeName | undefined
  /** The person's own configured default. */
  readonly configured: EnsoPermissionModeName | undefined
  readonly allowBypass: boolean
  readonly canAsk: () => boolean
  /** The newest data of a custom entry on the current branch. */
  readonly last: (customType: string) => unknown
  readonly append: (customType: string, data: unknown) => void
  readonly now: () => Date
}

/** A thread's permission mode: kept as session entries, so that a fork or another branch has its own. */
export interface ModeState {
  /** Records this start's flag on the branch, once. Nothing is written before the session has begun. */
  begin(): void
  current(): EnsoPermissionModeName
  available(): EnsoPermissionModeName[]
  /** @returns why the mode can't be set, or `undefined` when it is */
  set(mode: string, by: ModeChangedBy): string | undefined
  allowed(): readonly PermissionRule[]
  /** Remembers, for this branch, rules that a person allowed for the rest of the session. */
  allow(rules: readonly string[]): void
}

/**
 * The mode is, in this order: this start's flag, the branch's last entry (never `bypassPermissions`: that has to be
 * asked for again), the person's default, and last `default`, or `dontAsk` where nobody can answer. Read from the branch
 * each time, since a branch can change under it.
 */
export function createModeState(deps: ModeStateDeps): ModeState {
  let flag = deps.flag
  const fallback = (): EnsoPermissionModeName =>
    (deps.configured === 'bypassPermissions' && !deps.allowBypass ? undefined : deps.configured) ??
    (deps.canAsk() ? 'default' : 'dontAsk')

  const lastMode = (): EnsoPermissionModeName | undefined => {
    const mode = (deps.last(ENSO_PERMISSION_MODE_ENTRY) as { mode?: unknown } | undefined)?.mode
    return isEnsoPermissionModeName(mode) ? mode : undefined
  }

  const available = (): EnsoPermissionModeName[] =>
    ENSO_PERMISSION_MODES.filter((mode) => mode !== 'bypassPermissions' || deps.allowBypass)

  const record = (mode: EnsoPermissionModeName, by: ModeChangedBy): void => {
    deps.append(ENSO_PERMISSION_MODE_ENTRY, { mode, by, at: deps.now().toISOString() })
  }

  const current = (): EnsoPermissionModeName => {
    if (flag !== undefined) return flag
    const stored = lastMode()
    if (stored === undefined || (stored === 'bypassPermissions' && !deps.allowBypass)) return fallback()
    return stored
  }

  const begin = (): void => {
    if (flag === undefined) return
    const mode = flag
    flag = undefined
    if (lastMode() !== mode) record(mode, 'flag')
  }

  return {
    begin,
    current,
    available,
    set: (mode, by) => {
      if (!isEnsoPermissionModeName(mode)) return `there is no permission mode '${mode}'`
      if (!available().includes(mode)) return `${mode} is offered only when enso is started with --allow-bypass`
      begin()
      if (current() !== mode) record(mode, by)
      return undefined
    },
    allowed: () => rulesOf(deps.last(ENSO_SESSION_ALLOW_ENTRY)),
    allow: (added) => {
      const known = rulesOf(deps.last(ENSO_SESSION_ALLOW_ENTRY)).map((rule) => rule.text)
      const rules = [...new Set([...known, ...added])]
      if (rules.length > known.length) deps.append(ENSO_SESSION_ALLOW_ENTRY, { rules, at: deps.now().toISOString() })
    },
  }
}

function rulesOf(data: unknown): PermissionRule[] {
  const rules = (data as { rules?: unknown } | undefined)?.rules
  if (!Array.isArray(rules)) return []
  return rules.flatMap((text) => {
    const parsed = parsePermissionRule(String(text))
    return parsed.kind === 'rule' ? [{ ...parsed.rule, exact: true }] : []
  })
}
