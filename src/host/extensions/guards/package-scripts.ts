import { judgeCommand } from './bash/judge-command.js'
import type { Finding } from './finding.js'
import type { GuardWorld } from './world.js'

/** Scripts that a package manager runs by itself. */
const LIFECYCLE =
  /"((?:pre|post)?(?:install|prepare|pack|publish)|dependencies|prepublishOnly)"\s*:\s*("(?:[^"\\]|\\.)*")/g

/** Text going into a `package.json` that would run a refused command on the next install. */
export function installScriptFinding(path: string, text: string, world: GuardWorld): Finding | undefined {
  if (!/(?:^|\/)package\.json$/i.test(path)) return undefined
  for (const match of text.matchAll(LIFECYCLE)) {
    let command: unknown
    try {
      command = JSON.parse(match[2] ?? '')
    } catch {
      continue
    }
    if (typeof command !== 'string' || command === '') continue
    const inner = judgeCommand(command, world)[0]
    if (inner === undefined) continue
    return {
      rule: 'persistence-write',
      reason: `the script "${match[1]}" would run on the next install, and ${inner.reason} Name it something that a person runs.`,
    }
  }
  return undefined
}
