import { judgeCommand } from './bash/judge-command.js'
import type { Finding } from './finding.js'
import type { GuardWorld } from './world.js'

/** Scripts that a package manager runs by itself. */
const LIFECYCLE =
  /"((?:pre|post)?(?:install|prepare|pack|publish)|dependencies|prepublishOnly)"\s*:\s*("(?:[^"\\]|\\.)*")/g

/** More are no package's: they would only keep the harness busy. */
const MAX_SCRIPTS = 32

/** Text going into a `package.json` that would run a refused command on the next install. */
export function installScriptFinding(path: string, text: string, world: GuardWorld): Finding | undefined {
  if (!/(?:^|\/)package\.json$/i.test(path)) return undefined
  const scripts = new Map([...text.matchAll(LIFECYCLE)].map((match) => [match[2] ?? '', match[1] ?? '']))
  if (scripts.size > MAX_SCRIPTS) {
    return {
      rule: 'persistence-write',
      reason: `the text holds more than ${MAX_SCRIPTS} scripts that would run on the next install. Write one package at a time.`,
    }
  }
  for (const [written, name] of scripts) {
    let command: unknown
    try {
      command = JSON.parse(written)
    } catch {
      continue
    }
    if (typeof command !== 'string' || command === '') continue
    const inner = judgeCommand(command, world)[0]
    if (inner === undefined) continue
    return {
      rule: 'persistence-write',
      reason: `the script "${name}" would run on the next install, and ${inner.reason} Name it something that a person runs.`,
    }
  }
  return undefined
}
