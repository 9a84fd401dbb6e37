import { boundedWork, isOutOfTime } from '../bounded-work.js'
import { type Finding, shown } from '../finding.js'
import type { SafetyNetDenial } from '../safety-net.js'
import type { GuardWorld } from '../world.js'
import type { CommandWatcher, Run } from './context.js'
import { createShell } from './interpret.js'
import { createShellState } from './state.js'

/** How many resolved commands the checker of destructive commands is asked about beside the text itself. */
const MAX_RETOLD = 6

/** How the checker says that it could not follow a command. */
const UNFOLLOWED =
  /heredoc form or stdin consumer|Unquoted heredoc input|heredocs attached inside|could not be safely analyzed|dynamic command name|shell execution source cannot be verified|xargs dynamic input can supply/

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
    finds: 0,
    cleanings: 0,
    unfollowed: false,
    doubt: undefined,
  }
  try {
    boundedWork(command, () => createShell(run, createShellState(world.cwd), '').runText(command))
  } catch (error) {
    if (!isOutOfTime(error)) throw error
    run.doubt = 'the command takes too long to check'
  }
  return run
}

/** What the checker of destructive commands says, of the text and of what it comes to. */
function destructiveFinding(command: string, run: Run): Finding | undefined {
  const { world } = run
  const level = world.attended() ? 'standard' : 'strict'
  const retold = [...run.retold]
  const texts = [command, ...retold.filter((text) => !command.includes(text)).slice(0, MAX_RETOLD)]
  let overruled = false
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at] as string
    const denial = world.safetyNet.check(text, level)
    if (denial === undefined) continue
    if (isUnderstood(denial, run)) {
      const laxer = level === 'strict' ? world.safetyNet.check(text, 'standard') : denial
      if (laxer === undefined || isUnderstood(laxer, run)) {
        // It stops at the first thing it does not like: what stands behind that is asked about by itself.
        if (!overruled) texts.push(...retold.filter((other) => !texts.includes(other)))
        overruled = true
        continue
      }
    }
    return { rule: 'cc-safety-net', reason: `this command could destroy work: ${shown(denial.reason, 400)}` }
  }
  return undefined
}

/**
 * The checker refuses what its own reader can't follow: a removal whose target is a variable, a here-document, a text
 * given to a shell, a command word with a variable in it. Where all of it is followed here, and it is asked about each
 * command that came of it, that is no reason.
 */
function isUnderstood({ ruleId, reason }: SafetyNetDenial, run: Run): boolean {
  if (ruleId === 'rm.recursive-force-dynamic-target') return !run.unknownRemoval
  if (ruleId?.startsWith('find.') === true)
    return run.cleanings > 0 && run.cleanings === run.finds && run.retold.size <= MAX_RETOLD
  if (run.unfollowed || run.retold.size > MAX_RETOLD) return false
  if (ruleId === 'xargs.rm-recursive-force-dynamic') return !run.unknownRemoval
  return ruleId === 'shell.dynamic-executable' || (ruleId === undefined && UNFOLLOWED.test(reason))
}
