import type { EnsoObservation } from '../../core/index.js'
import type { CliClock } from '../io.js'
import { duration } from './layout.js'
import { toolTitle } from './tool-lines.js'

/** What a run does at this moment, for the one line that says so. */
export interface Activity {
  see(observation: EnsoObservation): void
  /** What runs, for how long, and what waits; without colour. */
  line(): string
}

function seconds(ms: number): string {
  return ms < 1000 ? '' : ` · ${duration(Math.floor(ms / 1000) * 1000).replace('.0 s', ' s')}`
}

/** Follows a thread's observations. The clock tells how long something has been going on. */
export function createActivity(clock: Pick<CliClock, 'now'>): Activity {
  const tools = new Map<string, { readonly title: string; readonly since: number }>()
  const questions = new Set<string>()
  let doing = 'waiting for the model'
  let since = clock.now()
  let retryAt: number | undefined
  let waiting = 0

  const now = (what: string): void => {
    retryAt = undefined
    if (doing === what) return
    doing = what
    since = clock.now()
  }

  const head = (): string => {
    if (retryAt !== undefined) {
      const left = Math.max(0, Math.ceil((retryAt - clock.now()) / 1000))
      return `${doing} in ${left} s`
    }
    const [first] = tools.values()
    if (first === undefined) return `${doing}${seconds(clock.now() - since)}`
    const others = tools.size > 1 ? ` +${tools.size - 1}` : ''
    return `${first.title}${others}${seconds(clock.now() - first.since)}`
  }

  return {
    see(observation) {
      switch (observation.kind) {
        case 'turn-start':
          return now('waiting for the model')
        case 'thinking-delta':
          return now('thinking')
        case 'text-delta':
          return now('writing')
        case 'tool-call':
          tools.set(observation.toolCallId, {
            title: toolTitle(observation.toolName, observation.args),
            since: clock.now(),
          })
          return
        case 'tool-result':
          if (observation.complete) tools.delete(observation.toolCallId)
          return now('waiting for the model')
        case 'provider-retry':
          now(`retry ${observation.attempt} of ${observation.maxAttempts}`)
          retryAt = clock.now() + observation.delayMs
          return
        case 'queue':
          waiting = observation.interrupting.length + observation.enqueued.length
          return
        case 'extension-ui-request':
          if (observation.blocking) questions.add(observation.id)
          return
        case 'dialog-settled':
          questions.delete(observation.id)
          return
        case 'settled':
          tools.clear()
          return now('waiting for the model')
        default:
          return
      }
    },
    line() {
      const parts = [head()]
      if (questions.size > 0) parts.push(questions.size === 1 ? 'a question waits' : `${questions.size} questions wait`)
      if (waiting > 0) parts.push(`${waiting} prompt${waiting === 1 ? ' waits' : 's wait'}`)
      return parts.join(' · ')
    },
  }
}
