import { type Finding, shown } from '../finding.js'
import type { SafetyNetDenial } from '../safety-net.js'
import type { GuardWorld } from '../world.js'
import type { CommandWatcher, Run } from './context.js'
import { createShell } from './interpret.js'
import { createShellState } from './state.js'

/** How many resolved commands the checker of destructive commands is asked about beside the text itself. */
const MAX_RETOLD = 6

/** How the checker says that it could not follow a command. */
const UNFOLLOWED = /heredoc form or stdin consumer|could not be safely analyzed|dynamic command name/

/** Everything that speaks against a shell command. */
export function judgeCommand(command: string, world: GuardWorld): readonly Finding[] {
  const run = walk(command, world)
  if (run.doubt !== undefined) {
    return [
      { rule: 'cc-safety-net', reason: `${run.doubt}, so it can't be checked. Split it into several plain commands.` },
    ]
  }
  const destructive = destructiveFinding(command, run)
  return destructive === undefined ? run.findings : [destructive, ...run.findings]
}

/** Tells a watcher what a shell command comes to; why that can't be told whole, where it can't. */
export function watchCommand(command: string, world: GuardWorld, watcher: CommandWatcher): string | undefined {
  return walk(command, world, watcher).doubt
}

function walk(command: string, world: GuardWorld, watcher?: CommandWatcher): Run {
  const run: Run = {
    watcher,
    world,
    findings: [],
    steps: 0,
    depth: 0,
    picks: new Map(),
    choices: new Map(),
    calls: [],
    retold: new Set(),
    picking: false,
    unknownRemoval: false,
    unfollowed: false,
    doubt: undefined,
  }
  createShell(run, createShellState(world.cwd), '').runText(command)
  return run
}

/** What the checker of destructive commands says, of the text and of what it comes to. */
function destructiveFinding(command: string, run: Run): Finding | undefined {
  const { world } = run
  const level = world.attended() ? 'standard' : 'strict'
  const texts = [command, ...[...run.retold].filter((text) => !command.includes(text)).slice(0, MAX_RETOLD)]
  for (const text of texts) {
    const denial = world.safetyNet.check(text, level)
    if (denial === undefined) continue
    if (level === 'strict' && isUnderstood(denial, run) && world.safetyNet.check(text, 'standard') === undefined)
      continue
    return { rule: 'cc-safety-net', reason: `this command could destroy work: ${shown(denial.reason, 400)}` }
  }
  return undefined
}

/**
 * The strict level refuses what its own reader can't follow: a removal whose target is a variable, a here-document
 * given to an interpreter, a command word with a variable in it. Where all of it is followed here, that is no reason.
 */
function isUnderstood({ ruleId, reason }: SafetyNetDenial, run: Run): boolean {
  if (ruleId === 'rm.recursive-force-dynamic-target') return !run.unknownRemoval
  if (run.unfollowed) return false
  return ruleId === 'shell.dynamic-executable' || (ruleId === undefined && UNFOLLOWED.test(reason))
}
