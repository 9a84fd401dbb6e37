import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkCommand } from 'cc-safety-net/api'
import { boundedWork } from './bounded-work.js'
import { writePrivateFile } from '../../../system/private-files.js'
import { repositoryLoosening } from './safety-net-policy.js'

/** A refusal of the checker of destructive commands. */
export interface SafetyNetDenial {
  readonly reason: string
  readonly ruleId: string | undefined
}

/** The checker of destructive commands, bound to one home folder and one workspace. */
export interface SafetyNet {
  /** Why the command is refused at this level, or `undefined`. `strict` also refuses what can't be told. */
  check(command: string, level: 'standard' | 'strict'): SafetyNetDenial | undefined
  /** Why the workspace's own policy file disarms the checker, or `undefined`. */
  loosening(): string | undefined
}

/** What a `SafetyNet` needs: all absolute. `home` is the home folder commands will see. */
export interface SafetyNetPlaces {
  readonly cwd: string
  readonly home: string
  readonly tmpDir: string
  /** The checker's own home: a folder of this harness's that commands can't write. No person's or repository's policy
   * is read there. */
  readonly policyHome: string
}

const OWN_POLICY = '{"version":1,"secret_protection":{"enabled":false}}'

/**
 * Sees to the checker's own home before each check, so that nothing changed it in between. Its secret rules are off
 * because ours name what they refuse; its destructive rules stay on.
 */
function seeToOwnPolicy(home: string): void {
  const file = join(home, 'policy.json')
  let text: string | undefined
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  if (text !== OWN_POLICY) writePrivateFile(file, OWN_POLICY)
}

/** The checker over `cc-safety-net`'s API. Its doubts (an error, an oversize command) are refusals. */
export function createSafetyNet(places: SafetyNetPlaces): SafetyNet {
  return {
    check(command, level) {
      const settings = {
        HOME: places.home,
        TMPDIR: places.tmpDir,
        CC_SAFETY_NET_HOME: places.policyHome,
        CC_SAFETY_NET_LEVEL: level,
      }
      try {
        seeToOwnPolicy(places.policyHome)
        const result = withEnvironment(settings, () =>
          boundedWork(command, () => checkCommand({ command, cwd: places.cwd })),
        )
        return result.kind === 'allow' ? undefined : { reason: result.reason, ruleId: result.ruleId }
      } catch (error) {
        return { reason: `the command could not be checked (${(error as Error).message})`, ruleId: undefined }
      }
    },
    loosening: () => repositoryLoosening(places.cwd),
  }
}

/** Runs `call` under these variables and no other setting of the checker's; it reads them when it is called. */
function withEnvironment<T>(settings: Readonly<Record<string, string>>, call: () => T): T {
  const before = new Map<string, string | undefined>()
  const set = (name: string, value: string | undefined) => {
    if (!before.has(name)) before.set(name, process.env[name])
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  try {
    for (const name of Object.keys(process.env)) if (/^(?:CC_)?SAFETY_NET_/.test(name)) set(name, undefined)
    for (const [name, value] of Object.entries(settings)) set(name, value)
    return call()
  } finally {
    for (const [name, value] of before) set(name, value)
  }
}
