import { ENSO_PERMISSION_MODE_ENTRY } from './mode-names.js'
import type { EnsoContextEvent } from './thread-context.js'
import type { ThreadRecord } from './thread-record.js'

/** Tells changes of model, thinking level and permission mode along a branch. */
export interface Switches {
  /** The event an entry is, or nothing. What a thread begins with is no change. */
  take(record: ThreadRecord, turn: number): EnsoContextEvent | undefined
}

/** Switches of a branch that nothing is known of yet. */
export function createSwitches(): Switches {
  let model: string | undefined
  let level: string | undefined
  let mode = 'default'

  const changed = (
    { id, at }: ThreadRecord,
    kind: EnsoContextEvent['kind'],
    label: string,
    turn: number,
  ): EnsoContextEvent => ({ key: id, kind, label, at: at ?? '', turn, tokens: 0 })

  return {
    take(record, turn) {
      switch (record.kind) {
        case 'model': {
          const before = model
          model = record.model
          return before === undefined || before === model ? undefined : changed(record, 'switch', model, turn)
        }
        // The reply's own word: a switch that left no entry shows here.
        case 'reply': {
          const before = model
          model = record.model
          return before === undefined || before === model ? undefined : changed(record, 'switch', model, turn)
        }
        case 'thinking': {
          const before = level
          level = record.level
          const label = `thinking ${level}`
          return before === undefined || before === level ? undefined : changed(record, 'switch', label, turn)
        }
        case 'custom': {
          const after = record.customType === ENSO_PERMISSION_MODE_ENTRY ? modeIn(record.data) : undefined
          if (after === undefined || after === mode) return undefined
          mode = after
          return changed(record, 'mode', mode, turn)
        }
        default:
          return undefined
      }
    },
  }
}

function modeIn(data: unknown): string | undefined {
  const mode = (data as { mode?: unknown } | null | undefined)?.mode
  return typeof mode === 'string' && mode !== '' ? mode : undefined
}
