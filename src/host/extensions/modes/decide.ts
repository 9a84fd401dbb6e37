import type { EnsoPermissionModeName } from '../../../core/mode-names.js'

/**
 * What a tool call is, as far as a mode cares. Shell commands are three kinds: proven to only read, plain file work
 * inside the write roots, and everything else; `shell-low-risk` is the part of the last that `auto` lets pass.
 */
export type CallKind =
  | 'read'
  | 'write'
  | 'plan-file'
  | 'shell-read'
  | 'shell-files'
  | 'shell-low-risk'
  | 'shell-other'
  | 'web'
  | 'question'
  | 'installed'
  | 'unknown'

export type ModeVerdict = 'allow' | 'ask' | 'deny'

/** The table of modes. What `ask` becomes where nobody can answer is decided by the caller: a denial. */
const TABLE: Readonly<Record<EnsoPermissionModeName, Readonly<Record<CallKind, ModeVerdict>>>> = {
  default: table({ write: 'ask', files: 'ask', lowRisk: 'ask', other: 'ask', unknown: 'ask' }),
  acceptEdits: table({ write: 'allow', files: 'allow', lowRisk: 'ask', other: 'ask', unknown: 'ask' }),
  plan: table({ write: 'deny', files: 'deny', lowRisk: 'deny', other: 'deny', unknown: 'ask' }),
  auto: table({ write: 'allow', files: 'allow', lowRisk: 'allow', other: 'ask', unknown: 'ask' }),
  bypassPermissions: table({ write: 'allow', files: 'allow', lowRisk: 'allow', other: 'allow', unknown: 'allow' }),
  dontAsk: table({ write: 'deny', files: 'deny', lowRisk: 'deny', other: 'deny', unknown: 'deny' }),
}

function table(row: {
  write: ModeVerdict
  files: ModeVerdict
  lowRisk: ModeVerdict
  other: ModeVerdict
  unknown: ModeVerdict
}): Readonly<Record<CallKind, ModeVerdict>> {
  return {
    read: 'allow',
    'shell-read': 'allow',
    web: 'allow',
    question: 'allow',
    installed: 'allow',
    'plan-file': row.write,
    write: row.write,
    'shell-files': row.files,
    'shell-low-risk': row.lowRisk,
    'shell-other': row.other,
    unknown: row.unknown,
  }
}

/** What a mode says to a kind of call. The plan file is the one thing plan mode may write. */
export function verdictOf(mode: EnsoPermissionModeName, kind: CallKind): ModeVerdict {
  if (mode === 'plan' && kind === 'plan-file') return 'allow'
  return TABLE[mode][kind]
}
