import { ENSO_PERMISSION_DENIAL_ENTRY, type EnsoObservation, readEnsoGuardDenial } from '../../core/index.js'
import type { Denier, PageTool } from './messages.js'
import { addNotice } from './notices.js'
import { endOf, type ThreadState } from './thread-state.js'

/** What folding what stands beside the messages needs. */
export interface AsideDeps {
  readonly now: () => number
  readonly newKey: () => string
  readonly denied: (toolCallId: string, denial: Pick<PageTool, 'rule' | 'deniedBy'>) => void
}

const DENIERS: readonly Denier[] = ['mode', 'rule', 'person']

/** Folds what is no part of a message: questions, the queue, settings, notices. */
export function foldAside(state: ThreadState, observed: EnsoObservation, deps: AsideDeps): void {
  switch (observed.kind) {
    case 'queue':
      state.queue.value = { interrupting: observed.interrupting, enqueued: observed.enqueued }
      return
    case 'model': {
      const { kind: _kind, ...model } = observed
      state.model.value = model
      return
    }
    case 'session-usage': {
      const { kind: _kind, ...usage } = observed
      state.usage.value = usage
      return
    }
    case 'permission-mode':
      state.mode.value = { mode: observed.mode, available: observed.available }
      return
    case 'permission-mode-rejected':
      note('error', `The mode stays as it is: ${observed.reason}`)
      return
    case 'provider-retry': {
      const { kind: _kind, ...retry } = observed
      state.retry.value = { ...retry, at: deps.now() + retry.delayMs }
      return
    }
    case 'provider-retry-ended':
      state.retry.value = undefined
      if (!observed.success) note('error', `No retry got through: ${observed.finalError ?? 'the provider refused'}`)
      return
    case 'prompt-rejected':
      handBack(state, observed.messageId)
      note('error', `The prompt was not taken: ${observed.reason}`)
      return
    case 'dialog-settled':
      state.dialogs.value = state.dialogs.peek().filter(({ id }) => id !== observed.id)
      return
    case 'extension-ui-request':
      uiRequest(state, observed, deps)
      return
    case 'extension-error':
      addNotice(state, deps.newKey(), { level: 'error', from: fileName(observed.extensionPath), text: observed.error })
      return
    case 'custom-entry':
      denial(observed.customType, observed.data, deps)
      return
    case 'unmapped':
      compaction(state, observed.event)
      return
    default:
      return
  }

  function note(level: 'info' | 'error', text: string): void {
    addNotice(state, deps.newKey(), { level, text })
  }
}

/** A prompt of this page that was refused goes back to where it was written. */
function handBack(state: ThreadState, messageId: string): void {
  const sent = state.sent.peek()
  const mine = sent.find((prompt) => prompt.messageId === messageId)
  if (mine === undefined) {
    // Its receipt may be on the way.
    state.rejected.add(messageId)
    return
  }
  state.sent.value = sent.filter((prompt) => prompt !== mine)
  state.returned.value = [...state.returned.peek(), mine.text]
}

function denial(customType: string, data: unknown, { denied }: AsideDeps): void {
  const byGuard = readEnsoGuardDenial(customType, data)
  if (byGuard !== undefined) denied(byGuard.toolCallId, { rule: byGuard.rule })
  if (customType !== ENSO_PERMISSION_DENIAL_ENTRY || typeof data !== 'object' || data === null) return
  const { toolCallId, by } = data as Record<string, unknown>
  if (typeof toolCallId === 'string') denied(toolCallId, { deniedBy: DENIERS.find((denier) => denier === by) })
}

function uiRequest(
  state: ThreadState,
  request: Extract<EnsoObservation, { kind: 'extension-ui-request' }>,
  { now }: AsideDeps,
): void {
  const { id, dialog, blocking, message, notifyType = 'info', origin } = request
  if (blocking && dialog !== undefined) {
    const open = { id, dialog, endsAt: endOf({ id, dialog }, now()) }
    state.dialogs.value = [...state.dialogs.peek().filter((one) => one.id !== id), open]
  } else if (message !== undefined) {
    addNotice(state, `n-${id}`, { level: notifyType, text: message, atStart: origin === 'session-start' })
  }
}

/** The runtime says that it compacts in an event of its own, which is passed on as it comes. */
function compaction(state: ThreadState, event: unknown): void {
  const type = typeof event === 'object' && event !== null ? (event as { type?: unknown }).type : undefined
  if (type === 'compaction_start') state.compacting.value = true
  if (type === 'compaction_end') state.compacting.value = false
}

function fileName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path
}
