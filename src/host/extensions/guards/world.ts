import type { GuardPolicy } from '../../../core/index.js'
import type { Freshness } from './freshness.js'
import type { GuardPolicyReading } from './policy.js'
import type { SafetyNet } from './safety-net.js'

/** Everything a decision depends on beside the call itself. One per thread; plain data, so that a test can make one. */
export interface GuardWorld {
  /** The thread's workspace: absolute, symbolic links followed. */
  readonly cwd: string
  readonly home: string
  /** What a child process of the shell tool sees: already scrubbed. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly policy: GuardPolicyReading
  /** Folders that may be written whatever the policy says: the thread's temporary folder. */
  readonly tempDirs: readonly string[]
  /** Folders and files nothing may write: `ENSO_HOME` and the agent folder, wherever they are. */
  readonly protectedPaths: readonly string[]
  /** Files and folders whose contents are secret beside what the policy names: credentials, token files. */
  readonly secretPaths: readonly string[]
  /** Places inside those that are there for the model to read: skills and prompt templates. */
  readonly readablePaths?: readonly string[]
  /** Can a person be asked? Where nobody can, what stays unknown in a command is refused. */
  attended(): boolean
  readonly safetyNet: SafetyNet
  readonly freshness: Freshness
}

/** The policy in force, or `undefined` while it can't be trusted (every write and command is then refused). */
export function policyOf(world: GuardWorld): GuardPolicy | undefined {
  return world.policy.kind === 'ok' ? world.policy.policy : undefined
}
