import { join } from 'node:path'
import type { EnsoUserGuard } from '../../../core/index.js'
import { createFreshness } from './freshness.js'
import { realPathOf } from './paths.js'
import { type GuardPolicyReading, guardPolicyOfUser } from './policy.js'
import { createSafetyNet } from './safety-net.js'
import { createScrubbedEnv } from './scrubbed-env.js'
import type { GuardWorld } from './world.js'

/** What the guards of one thread are made from. All paths absolute. */
export interface ThreadWorldOptions {
  readonly cwd: string
  readonly home: string
  /** This process's environment; commands see a scrubbed one. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** `ENSO_HOME` and the agent folder. */
  readonly ensoRoot: string
  readonly agentDir: string
  /** The thread's temporary folder, where it has one of its own. */
  readonly tempDir?: string
  /** The person's settings, or why they can't be trusted. */
  readonly userGuard?: EnsoUserGuard | { readonly unreadable: string }
  /** Further folders the person lets this run write (`--add-dir`). */
  readonly addedRoots?: readonly string[]
  /** Files that hold a secret wherever they are: a server's token. */
  readonly secretFiles?: readonly string[]
  /** Can somebody be asked now? */
  canAsk(): boolean
}

/** What in the agent folder is written for the model to read. */
const READABLE = ['skills', 'prompts', 'extensions', 'AGENTS.md', 'SYSTEM.md', 'APPEND_SYSTEM.md']

/** The guards' view of one thread: its policy, its protected and secret places, and a memory of what it has read. */
export function createThreadWorld(options: ThreadWorldOptions): GuardWorld {
  const { home, ensoRoot, agentDir, tempDir, secretFiles = [] } = options
  const cwd = realPathOf(options.cwd, options.cwd)
  const env = createScrubbedEnv(options.env)
  return {
    cwd,
    home,
    env: tempDir === undefined ? env : { ...env, TMPDIR: tempDir },
    policy: policyOfOptions(options, cwd),
    tempDirs: tempDir === undefined ? [] : [realPathOf(tempDir, cwd)],
    protectedPaths: [ensoRoot, agentDir, ...secretFiles].map((path) => realPathOf(path, cwd)),
    secretPaths: [ensoRoot, agentDir, ...secretFiles],
    readablePaths: READABLE.map((name) => join(agentDir, name)),
    attended: () => options.canAsk(),
    safetyNet: createSafetyNet({
      cwd,
      home,
      tmpDir: tempDir ?? options.env['TMPDIR'] ?? '/tmp',
      policyHome: join(ensoRoot, 'guard'),
    }),
    freshness: createFreshness(),
  }
}

function policyOfOptions({ userGuard, home, addedRoots }: ThreadWorldOptions, cwd: string): GuardPolicyReading {
  if (userGuard !== undefined && 'unreadable' in userGuard) return { kind: 'invalid', reason: userGuard.unreadable }
  return guardPolicyOfUser(userGuard, cwd, home, addedRoots)
}
