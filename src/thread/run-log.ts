import { ensoLogger, ENSO_LOG_EVENTS, type EnsoObservation } from '../core/index.js'

const log = ensoLogger('server', 'run')

/** Writes down what a day's statistics are folded from: when a run's first text came, and what each message used. */
export interface RunLog {
  /** An acquisition begins now. */
  acquired(): void
  observe(observation: EnsoObservation, generation: number): void
}

/** A run log for one thread. */
export function createRunLog(threadId: string, now: () => number): RunLog {
  let acquiredAt = 0
  let firstDeltaOf = 0

  return {
    acquired: () => {
      acquiredAt = now()
    },
    observe: (observation, generation) => {
      if (observation.kind === 'text-delta' && firstDeltaOf !== generation) {
        firstDeltaOf = generation
        log.info(ENSO_LOG_EVENTS.runFirstDelta, { threadId, generation, firstDeltaMs: now() - acquiredAt })
      }
      if (observation.kind === 'message-end' && observation.usage !== undefined) {
        const { role, model, usage } = observation
        const about = { threadId, generation, role, ...usage }
        log.info(ENSO_LOG_EVENTS.messageUsage, model === undefined ? about : { ...about, model })
      }
    },
  }
}
