import type { EnsoPermissionModeChange, ThreadRuntime } from '../core/index.js'
import type { Acquisition } from './lease.js'
import { reasonOf } from './reason-of.js'
import { busy, done, type OperationCall, type OperationOutcome, refused } from './operation.js'
import { modeRefusal, switchMode } from './set-mode.js'
import type { ThreadEntry } from './thread-entry.js'

/**
 * Switches the permission mode. Answered when the switch has begun; the change, or a later refusal, arrives on the
 * follow.
 */
export async function changeMode({
  body,
  threads,
}: OperationCall<EnsoPermissionModeChange>): Promise<OperationOutcome> {
  const { entry, hosted } = await threads.live()
  const { mode } = body
  if (entry.lease.held() !== undefined) return busy(entry)
  const reason = modeRefusal(hosted.runtime, mode)
  if (reason !== undefined) return refused('refused', reason)
  const acquisition = entry.lease.acquire('setting')
  if (acquisition === undefined) return busy(entry)
  void carryOut(entry, hosted.runtime, mode, acquisition)
  return done(202)
}

async function carryOut(
  entry: ThreadEntry,
  runtime: ThreadRuntime,
  mode: string,
  acquisition: Acquisition,
): Promise<void> {
  const reason = await switchMode(runtime, mode).catch(reasonOf)
  if (reason !== undefined) entry.publish({ kind: 'permission-mode-rejected', mode, reason })
  entry.lease.end(acquisition, { kind: 'settled' })
}
