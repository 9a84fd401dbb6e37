import type { AgentSession } from '@mariozechner/pi-coding-agent'
import type { EnsoNotifyType } from '../../core/index.js'
import { notify } from './extension-ui-context.js'
import { modelStateOf } from '../models/model-choice.js'
import type { ObservationHub } from '../observe/observation-hub.js'
import { sessionUsageOf } from '../session/session-usage.js'

/** What the host itself says of a thread, beside what its events are mapped to. */
export interface ThreadVoice {
  readonly usage: () => void
  /** The model and thinking level, whenever they are others than were said last. */
  readonly model: () => void
  readonly fault: (event: string, error: unknown, extensionPath?: string) => void
  readonly notice: (message: string, type: EnsoNotifyType) => void
  readonly settled: () => void
}

/** The voice of one session's host. */
export function createThreadVoice(session: AgentSession, hub: ObservationHub): ThreadVoice {
  let said = ''
  const usage = (): void => hub.emit({ kind: 'session-usage', ...sessionUsageOf(session) })
  return {
    usage,
    model() {
      const state = modelStateOf(session)
      const key = JSON.stringify(state)
      if (key === said) return
      said = key
      hub.emit({ kind: 'model', ...state })
      usage()
    },
    fault(event, error, extensionPath = '<host>') {
      const reason = error instanceof Error ? error.message : String(error)
      hub.emit({ kind: 'extension-error', extensionPath, event, error: reason })
    },
    notice: (message, type) => notify(hub, message, type),
    settled() {
      usage()
      hub.emit({ kind: 'settled' })
    },
  }
}
