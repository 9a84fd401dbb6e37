import { makeupTotal, noMakeup } from './context-estimate.js'
import { systemItems, toolItems, unknownItems, type ContextItem } from './context-items.js'
import { readContextSystem, readContextTools } from './context-records.js'
import type { EnsoContextEvent } from './thread-context.js'
import type { ThreadRecord } from './thread-record.js'

/** What stands before the conversation in every request: the system prompt and the tools, as far as recorded. */
export interface ContextPreamble {
  items(): readonly ContextItem[]
  /** Takes an entry of the branch; answers what it changed, or nothing where it records no preamble. */
  take(record: ThreadRecord): PreambleChange | undefined
}

/** A change of the preamble. `wasUnknown`: it was recorded for the first time. */
export interface PreambleChange {
  readonly what: 'system' | 'tools'
  readonly entered: readonly ContextItem[]
  readonly left: readonly ContextItem[]
  readonly wasUnknown: boolean
}

/** A preamble that is not known yet. */
export function createPreamble(): ContextPreamble {
  const unknown = unknownItems()
  let system: readonly ContextItem[] = unknown.filter(({ category }) => category === 'system')
  let tools: readonly ContextItem[] = unknown.filter(({ category }) => category === 'tools')

  return {
    items: () => [...system, ...tools],
    take(record) {
      if (record.kind !== 'custom') return undefined
      const recordedSystem = readContextSystem(record.customType, record.data)
      if (recordedSystem !== undefined) {
        const before = system
        system = keepEqual(before, systemItems(recordedSystem, record.at))
        return changeOf('system', before, system, unknown)
      }
      const recordedTools = readContextTools(record.customType, record.data)
      if (recordedTools === undefined) return undefined
      const before = tools
      tools = keepEqual(before, toolItems(recordedTools, record.at))
      return changeOf('tools', before, tools, unknown)
    },
  }
}

/** The new elements, those that hold what one of the same key held before being the same still. */
function keepEqual(before: readonly ContextItem[], after: readonly ContextItem[]): ContextItem[] {
  const known = new Map(before.map((item) => [item.key, item]))
  return after.map((item) => {
    const old = known.get(item.key)
    return old !== undefined && JSON.stringify(old.body()) === JSON.stringify(item.body()) ? old : item
  })
}

function changeOf(
  what: PreambleChange['what'],
  before: readonly ContextItem[],
  after: readonly ContextItem[],
  unknown: readonly ContextItem[],
): PreambleChange {
  return {
    what,
    entered: after.filter((item) => !before.includes(item)),
    left: before.filter((item) => !after.includes(item)),
    wasUnknown: before.length > 0 && before.every((item) => unknown.includes(item)),
  }
}

/**
 * A change of the preamble as events: each injected piece by itself; the agent's own instructions and the tools only
 * where they replace others.
 */
export function preambleEvents(change: PreambleChange, record: ThreadRecord, turn: number): EnsoContextEvent[] {
  const at = record.at ?? ''
  const injected = change.entered.filter(({ category }) => category === 'injected')
  const events = injected.map(({ key, label, tokens }): EnsoContextEvent => ({
    key,
    kind: 'inject',
    label,
    at,
    turn,
    tokens,
  }))
  const own = (items: readonly ContextItem[]): readonly ContextItem[] =>
    items.filter(({ category }) => category !== 'injected')
  if (change.wasUnknown || own(change.entered).length + own(change.left).length === 0) return events
  const tokens = total(own(change.entered)) - total(own(change.left))
  return [{ key: record.id, kind: 'inject', label: changeLabel(change), at, turn, tokens }, ...events]
}

function changeLabel({ what, entered, left }: PreambleChange): string {
  if (what === 'system') return 'system prompt changed'
  const names = (sign: string, items: readonly ContextItem[]): string[] => items.map(({ label }) => `${sign}${label}`)
  return `tools changed: ${[...names('+', entered), ...names('-', left)].join(' ')}`
}

function total(items: readonly ContextItem[]): number {
  const makeup = noMakeup()
  for (const { category, tokens } of items) makeup[category] += tokens
  return makeupTotal(makeup)
}
