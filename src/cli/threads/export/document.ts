import type {
  EnsoThreadContext,
  EnsoThreadStats,
  EnsoTranscriptEntry,
  StoredThreadReading,
  StoredThreadRecords,
  StoredThreadRef,
  ThreadLogAccount,
} from '../../../core/index.js'
import { ENSO_GUARD_DENIAL_ENTRY, foldThreadContext, foldThreadStats } from '../../../core/index.js'
import { plural } from '../../../core/plural.js'
import { durationsText, spentText } from '../../render/amounts.js'
import { skipped } from '../show.js'

/** A thread as it is exported: everything that any of the forms shows. */
export interface ExportedThread {
  readonly format: 'enso-thread'
  readonly version: 1
  readonly enso: string
  /** ISO 8601. */
  readonly exportedAt: string
  /** Secrets were taken out. */
  readonly redacted: boolean
  readonly threadId: string
  readonly cwd: string
  readonly startedAt: string
  readonly permissionMode: string
  readonly interrupted?: StoredThreadReading['interrupted']
  readonly skippedLines: number
  readonly entries: readonly EnsoTranscriptEntry[]
  readonly stats: EnsoThreadStats
  readonly context: EnsoThreadContext
}

/** What an export is made from; secrets are already out where they are to be. */
export interface ExportSource {
  readonly enso: string
  readonly now: number
  readonly redacted: boolean
  readonly ref: StoredThreadRef
  readonly reading: StoredThreadReading
  readonly records: StoredThreadRecords
  readonly log: ThreadLogAccount
}

/** A thread with its accounts, as one value. */
export function exportedThread(source: ExportSource): ExportedThread {
  const { enso, now, redacted, ref, reading, records, log } = source
  const { threadId, cwd } = ref
  return {
    format: 'enso-thread',
    version: 1,
    enso,
    exportedAt: new Date(now).toISOString(),
    redacted,
    threadId,
    cwd,
    startedAt: records.startedAt,
    permissionMode: reading.permissionMode.mode,
    ...(reading.interrupted === undefined ? {} : { interrupted: reading.interrupted }),
    skippedLines: reading.skippedLines,
    entries: reading.entries,
    stats: foldThreadStats({ threadId, live: false, records, log }),
    context: foldThreadContext({ threadId, live: false, records }),
  }
}

/** What stands above the conversation. */
export function exportFacts(thread: ExportedThread): readonly (readonly [name: string, value: string])[] {
  const { stats, interrupted, skippedLines } = thread
  const prompts = stats.promptStats.filter(({ prompt }) => prompt > 0).length
  const amounts = [
    plural(prompts, 'prompt'),
    plural(stats.turnStats.length, 'request'),
    plural(stats.callStats.length, 'tool call'),
  ]
  return [
    ['thread', thread.threadId],
    ['folder', thread.cwd],
    ['started', thread.startedAt],
    ['models', [...new Set(stats.turnStats.map(({ model }) => model))].join(', ')],
    ['mode', thread.permissionMode],
    ['size', amounts.join(', ')],
    ['spent', spentText(stats.usage)],
    ['prompts took', durationsText(stats.latency.prompts)],
    ...(interrupted === undefined ? [] : [['interrupted', interrupted] as const]),
    ...(skippedLines === 0 ? [] : [['damaged', skipped(skippedLines)] as const]),
    ['exported', `${thread.exportedAt} by enso ${thread.enso}, secrets ${thread.redacted ? 'taken out' : 'left in'}`],
  ]
}

/** What stands over an export: the beginning of the first prompt. */
export function exportTitle({ stats, threadId }: ExportedThread): string {
  return stats.promptStats.find(({ text }) => text !== '')?.text ?? `thread ${threadId}`
}

/** The rule by which a guard refused a call, by the call's id. */
export function deniedCalls(entries: readonly EnsoTranscriptEntry[]): ReadonlyMap<string, string> {
  const denied = new Map<string, string>()
  for (const entry of entries) {
    if (entry.kind !== 'custom' || entry.customType !== ENSO_GUARD_DENIAL_ENTRY) continue
    const { toolCallId, rule } = (entry.data ?? {}) as { toolCallId?: unknown; rule?: unknown }
    if (typeof toolCallId === 'string' && typeof rule === 'string') denied.set(toolCallId, rule)
  }
  return denied
}

/** Entries that are of use to enso alone. */
const BOOKKEEPING = /^enso-(?:context|guard-denial)/

/** The entries that are shown: from the first message on, without what enso wrote down for itself. */
export function conversation(entries: readonly EnsoTranscriptEntry[]): readonly EnsoTranscriptEntry[] {
  const first = entries.findIndex(({ kind }) => kind === 'message' || kind === 'tool-result')
  return entries
    .slice(Math.max(0, first))
    .filter((entry) => entry.kind !== 'custom' || !BOOKKEEPING.test(entry.customType))
}
