import { resolve } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { Type } from '@sinclair/typebox'
import { DEFAULT_GUARD_POLICY, type EnsoUserGuard, GuardPolicy } from '../../../core/index.js'
import { isInside, realPathOf } from './paths.js'

/** A policy in force, with its write roots made absolute; or why none can be trusted. */
export type GuardPolicyReading =
  | { readonly kind: 'ok'; readonly policy: GuardPolicy }
  | { readonly kind: 'invalid'; readonly reason: string }

const PartialPolicy = Type.Partial(GuardPolicy, { additionalProperties: false })

/**
 * A policy over the defaults: each key that is given replaces the default whole. A key that does not exist, a value of
 * the wrong kind, or write roots that leave the workspace out make the whole policy unusable: half a policy would
 * guard less than its author believes.
 */
export function readGuardPolicy(value: unknown, cwd: string, home: string): GuardPolicyReading {
  const error = Value.Errors(PartialPolicy, value).First()
  if (error !== undefined) {
    return { kind: 'invalid', reason: `the guard policy is invalid at ${error.path || 'its root'}: ${error.message}` }
  }
  const given = value as Partial<GuardPolicy>
  const policy: GuardPolicy = { ...DEFAULT_GUARD_POLICY, ...given }
  const writeRoots = policy.writeRoots.map((root) => realPathOf(absoluteRoot(root, cwd, home), cwd))
  if (!writeRoots.some((root) => isInside(realPathOf(cwd, cwd), root))) {
    return { kind: 'invalid', reason: `the guard policy's write roots do not contain the workspace ${cwd}` }
  }
  return { kind: 'ok', policy: { ...policy, writeRoots } }
}

/** The same for a policy's text. `undefined` is the default policy: no text was there. */
export function parseGuardPolicy(text: string | undefined, cwd: string, home: string): GuardPolicyReading {
  if (text === undefined) return readGuardPolicy({}, cwd, home)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: 'invalid', reason: 'the guard policy is not JSON' }
  }
  return readGuardPolicy(value, cwd, home)
}

/**
 * The policy of a thread: the person's own settings over the defaults, with the workspace, the temporary folder and
 * `--add-dir` folders as write roots beside theirs.
 */
export function guardPolicyOfUser(
  guard: EnsoUserGuard | undefined,
  cwd: string,
  home: string,
  addedRoots: readonly string[] = [],
): GuardPolicyReading {
  const { writeRoots = [], ...rest } = guard ?? {}
  return readGuardPolicy(
    { ...rest, writeRoots: [...DEFAULT_GUARD_POLICY.writeRoots, ...writeRoots, ...addedRoots] },
    cwd,
    home,
  )
}

function absoluteRoot(root: string, cwd: string, home: string): string {
  if (root === '~') return home
  return root.startsWith('~/') ? resolve(home, root.slice(2)) : resolve(cwd, root)
}
