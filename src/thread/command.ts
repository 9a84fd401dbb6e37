import type { EnsoHostCommandRun, RuntimeCommand, ThreadRuntime } from '../core/index.js'
import { busy, done, type OperationCall, type OperationOutcome, refused } from './operation.js'
import { reasonOf } from './reason-of.js'
import type { ThreadEntry } from './thread-entry.js'

/**
 * Runs a host command by its kind. `select` and `level` are applied before the answer; a `flow` and an `action` are
 * answered when they have begun, and the thread is busy with an action until it is over. A `view` is opened by the
 * surface and never run.
 */
export async function runCommand({ body, threads }: OperationCall<EnsoHostCommandRun>): Promise<OperationOutcome> {
  const { entry, hosted } = await threads.live()
  const { runtime } = hosted
  const row = runtime.listCommands().find(({ name, source }) => source === 'host' && name === body.name)
  const reason = commandRefusal(row, body)
  if (reason !== undefined) return refused('refused', reason)
  return row?.kind === 'flow' || row?.kind === 'action'
    ? startFlow(entry, runtime, body, row.kind)
    : applySetting(entry, runtime, body)
}

function commandRefusal(row: RuntimeCommand | undefined, { name, value }: EnsoHostCommandRun): string | undefined {
  if (row === undefined) return `there is no host command ${JSON.stringify(name)}`
  if (row.kind === 'view') return `/${name} shows something and runs nothing`
  if (row.kind !== 'action' && value === undefined) return `/${name} takes a value`
  return undefined
}

async function applySetting(
  entry: ThreadEntry,
  runtime: ThreadRuntime,
  run: EnsoHostCommandRun,
): Promise<OperationOutcome> {
  const acquisition = entry.lease.acquire('setting')
  if (acquisition === undefined) return busy(entry)
  try {
    await runtime.runHostCommand(run)
    return done(204)
  } catch (error) {
    return refused('refused', reasonOf(error))
  } finally {
    entry.lease.end(acquisition, { kind: 'settled' })
  }
}

async function startFlow(
  entry: ThreadEntry,
  runtime: ThreadRuntime,
  run: EnsoHostCommandRun,
  kind: 'flow' | 'action',
): Promise<OperationOutcome> {
  const acquisition = entry.lease.acquire(kind === 'action' ? 'action' : 'setting')
  if (acquisition === undefined) return busy(entry)
  const over = entry.flowBegan()
  const release = (): void => void entry.lease.end(acquisition, { kind: 'settled' })
  const reason = await new Promise<string | undefined>((resolve) => {
    try {
      runtime.startHostFlow(run, {
        onAccepted: () => resolve(undefined),
        onRejected: resolve,
        onSettled: () => {
          over()
          release()
        },
      })
    } catch (error) {
      resolve(reasonOf(error))
    }
  })
  if (reason !== undefined) {
    over()
    release()
    return refused('refused', reason)
  }
  if (kind === 'flow') release()
  return done(202)
}
