import { dirname } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { confirm } from '@clack/prompts'
import { ENSO_ABORT_EXIT_CODES, EnsoError, jsonLine, type StoredThreadRef } from '../../core/index.js'
import { closed } from '../../core/schema.js'
import { createUndoStore, undoFolder, type UndoStore } from '../../system/undo-store.js'
import type { Invocation } from '../commands/command.js'
import { createAsking } from '../dialogs/asking.js'
import { refuseUsage } from '../faults.js'
import { createPalette } from '../print/palette.js'
import { findThread } from '../threads/find-thread.js'
import { outputStyle } from '../threads/subcommand.js'
import { stepText } from './diff-text.js'
import { type FileStep, giveBack, stepFor } from './files.js'
import { planUndo, promptsOfCalls, type UndoPlan } from './plan.js'

/** What `enso threads undo --json` says. */
export const EnsoUndoReport = closed({
  threadId: Type.String(),
  /** The first prompt whose changes this is about, counted from 1. */
  prompt: Type.Integer(),
  files: Type.Array(
    closed({
      path: Type.String(),
      action: Type.Union(['restore', 'remove', 'none', 'refused'].map((action) => Type.Literal(action))),
      /** Of a refusal. */
      why: Type.Optional(Type.String()),
    }),
  ),
  /** Were the files given back? Without --yes this is what would happen. */
  undone: Type.Boolean(),
})
export type EnsoUndoReport = Static<typeof EnsoUndoReport>

/**
 * `enso threads undo ID`: gives back what the write and edit calls of a thread's last run changed, or of every run from
 * a prompt on. All of it or nothing: a file that somebody else has changed since keeps everything as it is.
 */
export async function undoThread(invocation: Invocation, [wished = '']: readonly string[]): Promise<number> {
  const { line, io, parts } = invocation
  const to = line.value('to')
  if (to !== undefined && !/^[1-9]\d*$/.test(to)) {
    return refuseUsage(io, [], {
      reason: `--to takes a prompt's number, not '${to}'`,
      hint: 'enso threads stats ID counts them',
    })
  }
  const store = await parts.store()
  const ref = await findThread(store, wished)
  const changes = createUndoStore(undoFolder(parts.home.root, ref.threadId))
  const prompts = promptsOfCalls(await store.records(ref))
  const plan = planUndo(changes.entries(), prompts, to === undefined ? undefined : Number(to))
  if (plan === undefined) {
    throw new EnsoError('bad-input', `there is nothing of thread ${ref.threadId} to undo`, {
      hint: 'write and edit calls can be undone for 30 days; what a shell command changed can not',
    })
  }
  const { createThreadLocks, lockPathOf } = await import('../../thread/thread-lock.js')
  const lock = createThreadLocks().acquire(lockPathOf(dirname(ref.file), ref.threadId))
  try {
    return await undoLocked(invocation, ref, plan, changes)
  } finally {
    lock.release()
  }
}

async function undoLocked(
  invocation: Invocation,
  { threadId, cwd }: StoredThreadRef,
  plan: UndoPlan,
  changes: UndoStore,
): Promise<number> {
  const { line, io } = invocation
  const steps = plan.files.map((file) => stepFor(file, changes))
  const isRefused = steps.some(({ action }) => action === 'refused')
  const inJson = line.has('json')
  if (!inJson) {
    const { palette } = outputStyle(invocation)
    io.stdout.write(steps.map((step) => `${stepText(step, cwd, palette)}\n`).join(''))
  }
  const goesOn = isRefused ? 'refused' : await agreed(invocation, steps)
  if (typeof goesOn === 'number') return goesOn
  const undone = goesOn === 'yes'
  if (undone) {
    // Looked at again: a person may have thought for a while.
    const now = plan.files.map((file) => stepFor(file, changes))
    const changed = now.find(({ action }) => action === 'refused')
    if (changed !== undefined)
      throw new EnsoError('disk', `${changed.path} has changed meanwhile: nothing was given back`)
    now.forEach(giveBack)
    changes.append({ kind: 'undone', toolCallIds: [...plan.toolCallIds], at: new Date(io.clock.now()).toISOString() })
  }
  if (inJson) {
    io.stdout.write(`${jsonLine(reportOf(threadId, plan, steps, undone))}\n`)
    return isRefused ? 1 : 0
  }
  if (isRefused) io.stderr.write('nothing was given back\n')
  else io.stderr.write(undone ? `given back to before prompt ${plan.prompt}\n` : 'left as it is\n')
  return isRefused ? 1 : 0
}

/** Whether to do it: asked on a terminal, said by --yes; with --json a look without it. An exit code ends the command. */
async function agreed({ line, io }: Invocation, steps: readonly FileStep[]): Promise<'yes' | 'no' | number> {
  if (line.has('yes')) return 'yes'
  if (line.has('json')) return 'no'
  const terminal = io.terminal()
  if (terminal === undefined) {
    return refuseUsage(io, [], { reason: 'nobody can be asked here', hint: 'look at the changes above, and add --yes' })
  }
  const asking = createAsking(terminal, io.clock, createPalette(terminal.output, io.env, 'auto').enabled)
  try {
    const count = steps.filter(({ action }) => action !== 'none').length
    const message = `Give ${count === 1 ? 'this file' : `these ${count} files`} back?`
    const answer = await asking.ask(
      (streams) => confirm({ ...streams, message, initialValue: false }),
      new AbortController().signal,
    )
    if (answer.kind === 'stop') return ENSO_ABORT_EXIT_CODES.SIGINT
    return answer.kind === 'value' && answer.value ? 'yes' : 'no'
  } finally {
    asking.close()
  }
}

function reportOf(threadId: string, plan: UndoPlan, steps: readonly FileStep[], undone: boolean): EnsoUndoReport {
  return {
    threadId,
    prompt: plan.prompt,
    files: steps.map((step) => ({
      path: step.path,
      action: step.action,
      ...(step.action === 'refused' ? { why: step.why } : {}),
    })),
    undone,
  }
}
