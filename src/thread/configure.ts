import type { EnsoConfigurationRefusal, EnsoSessionConfiguration, ThreadRuntime } from '../core/index.js'
import { busy, done, type OperationCall, type OperationOutcome } from './operation.js'
import { reasonOf } from './reason-of.js'
import { modeRefusal, switchMode } from './set-mode.js'

/**
 * Applies settings under one lease in the order model, thinking, mode: the levels a thread may think at are its model's.
 * What is so already is left alone. The first step that is refused ends it; the steps before stay applied.
 */
export async function configureThread({
  body,
  threads,
}: OperationCall<EnsoSessionConfiguration>): Promise<OperationOutcome> {
  const { entry, hosted } = await threads.live()
  const acquisition = entry.lease.acquire('setting')
  if (acquisition === undefined) return busy(entry)
  try {
    const refusal = await apply(hosted.runtime, body)
    if (refusal === undefined) return done(204)
    const reason = `${refusal.step}: ${refusal.reason}`
    return { ok: false, refusal: { code: 'refused', reason }, body: refusal }
  } finally {
    entry.lease.end(acquisition, { kind: 'settled' })
  }
}

async function apply(
  runtime: ThreadRuntime,
  { model, thinking, mode }: EnsoSessionConfiguration,
): Promise<EnsoConfigurationRefusal | undefined> {
  const current = runtime.modelState().model
  if (model !== undefined && (current === null || model !== `${current.provider}/${current.id}`)) {
    const reason = await hostCommandRefusal(runtime, 'model', model)
    if (reason !== undefined) return { step: 'model', reason }
  }
  if (thinking !== undefined && thinking !== runtime.modelState().thinkingLevel) {
    const reason = await hostCommandRefusal(runtime, 'thinking', thinking)
    if (reason !== undefined) return { step: 'thinking', reason }
  }
  if (mode !== undefined && mode !== runtime.permissionModeState().mode) {
    const reason = modeRefusal(runtime, mode) ?? (await switchMode(runtime, mode).catch(reasonOf))
    if (reason !== undefined) return { step: 'mode', reason }
  }
  return undefined
}

async function hostCommandRefusal(runtime: ThreadRuntime, name: string, value: string): Promise<string | undefined> {
  try {
    await runtime.runHostCommand({ name, value })
    return undefined
  } catch (error) {
    return reasonOf(error)
  }
}
