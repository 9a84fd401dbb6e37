import type { EnsoExtensionUiRequest, EnsoObservation } from '../../core/index.js'
import { noticeLine, type ObservationLine } from './observation-lines.js'

/** Notices from a session's start, said together before the first thing that is none of them. */
export interface StartNotices {
  /** Is this one of them? Then it is kept. */
  hold(request: EnsoExtensionUiRequest): boolean
  /** Told of every observation before it is shown. */
  before(observation: EnsoObservation): void
  flush(): void
}

function isStartNotice(observation: EnsoObservation): boolean {
  return (
    observation.kind === 'extension-ui-request' &&
    observation.origin === 'session-start' &&
    observation.method === 'notify'
  )
}

/** Kinds that come between start-up notices and end nothing. */
const STILL_STARTING: ReadonlySet<EnsoObservation['kind']> = new Set([
  'custom-entry',
  'model',
  'permission-mode',
  'session-usage',
])

/** Groups the start's notices: the plain ones in one block, warnings and errors each for itself. */
export function createStartNotices(tell: (line: ObservationLine) => void): StartNotices {
  let plain: ObservationLine[] = []

  const flush = (): void => {
    const lines = plain
    plain = []
    if (lines.length === 0) return
    if (lines.length === 1) return lines.forEach(tell)
    tell({ weight: 'info', text: ['at the start:', ...lines.map((line) => `  ${line.text}`)].join('\n') })
  }
  return {
    hold(request) {
      if (!isStartNotice(request)) return false
      const line = noticeLine(request)
      if (line.weight === 'info') plain.push(line)
      else tell(line)
      return true
    },
    before(observation) {
      if (!isStartNotice(observation) && !STILL_STARTING.has(observation.kind)) flush()
    },
    flush,
  }
}
