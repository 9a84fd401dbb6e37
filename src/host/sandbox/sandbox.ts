import { EnsoError } from '../../core/enso-error.js'
import { mountsFor, type Confinement } from './confinement.js'
import { absentProtected, undoAppeared } from './ghosts.js'
import { BWRAP_PATHS, findBwrap, runConfined, type ConfinedRun } from './run-confined.js'

/** What the person asked for. `auto` uses the sandbox where the machine has one; `require` refuses to start without. */
export type SandboxChoice = 'off' | 'auto' | 'require'

/** Whether commands run confined, and if not, why. */
export type SandboxState = { readonly kind: 'on' } | { readonly kind: 'off'; readonly reason: string }

export interface Sandbox {
  readonly state: SandboxState
  /** Runs a command confined. Only called when `state` is on. */
  run(run: Omit<ConfinedRun, 'mounts'>): Promise<{ exitCode: number | null }>
}

/**
 * Finds out, by running it once, whether commands can be confined on this machine.
 *
 * @throws EnsoError `sandbox-unavailable` for `require` where they can't: never a silent fall-back
 */
export async function createSandbox(
  choice: SandboxChoice,
  confinement: () => Confinement,
  probe: typeof probeSandbox = probeSandbox,
): Promise<Sandbox> {
  if (choice === 'off') return unconfined('it is switched off')
  const probed = await probe()
  if (probed.kind === 'off') {
    if (choice === 'require') {
      throw new EnsoError('sandbox-unavailable', `the sandbox can't be used here: ${probed.reason}`, {
        hint: 'install bubblewrap (apt-get install bubblewrap), or run with --sandbox auto or off',
      })
    }
    return unconfined(probed.reason)
  }
  const { path } = probed
  return {
    state: { kind: 'on' },
    run: async (run) => {
      const now = confinement()
      const absent = absentProtected(now)
      try {
        return await runConfined(path, { ...run, mounts: mountsFor(now) })
      } finally {
        for (const undone of undoAppeared(absent)) {
          run.onData(Buffer.from(`\n[sandbox] ${undone} may not be made here and was taken away again\n`))
        }
      }
    },
  }
}

function unconfined(reason: string): Sandbox {
  return {
    state: { kind: 'off', reason },
    run: () => Promise.reject(new Error(`the sandbox is off: ${reason}`)),
  }
}

/** Does a confined command run here? Tried for real: a binary that is there may still lack the kernel's permission. */
export async function probeSandbox(
  paths: readonly string[] = BWRAP_PATHS,
): Promise<{ kind: 'on'; path: string } | { kind: 'off'; reason: string }> {
  const found = findBwrap(paths)
  if ('reason' in found) return { kind: 'off', reason: found.reason }
  let output = ''
  try {
    const { exitCode } = await runConfined(found.path, {
      command: 'echo confined',
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      mounts: [],
      onData: (data) => (output += data.toString()),
      timeout: 10,
    })
    if (exitCode === 0 && output.trim() === 'confined') return { kind: 'on', path: found.path }
    return { kind: 'off', reason: output.trim().split('\n')[0] || `bubblewrap ended with ${exitCode}` }
  } catch (error) {
    return { kind: 'off', reason: error instanceof Error ? error.message : String(error) }
  }
}
