import type { SessionManager } from '@mariozechner/pi-coding-agent'
import { ENSO_PERMISSION_MODE_ENTRY } from '../core/index.js'
import type { OpenThreadRequest } from '../core/index.js'
import { isStoredEntry, lastCustomData } from './session/decode-entries.js'
import type { StoredEntry } from './session/decode-entries.js'
import { notify } from './dialogs/extension-ui-context.js'
import type { ObservationHub } from './observe/observation-hub.js'
import type { PendingDialogs } from './dialogs/pending-dialogs.js'
import { onAppend } from './pi-internals.js'
import type { ThreadPartsContext } from './thread-parts.js'

/** Custom entries that record the context for later inspection; they are no news to anybody. */
const OWN_RECORDS = /^enso-context/

/** The current branch as it is stored. */
export function storedBranch(manager: SessionManager): StoredEntry[] {
  return (manager.getBranch() as readonly unknown[]).filter(isStoredEntry)
}

/** What the parts of a thread are made with. Its session opens after them: `manager` is asked only when they are used. */
export function createPartsContext(
  request: OpenThreadRequest,
  hub: ObservationHub,
  dialogs: PendingDialogs,
  manager: () => SessionManager,
  parametersOf: (toolName: string) => unknown,
): ThreadPartsContext {
  return {
    threadId: request.threadId,
    cwd: request.cwd,
    ephemeral: request.session.kind === 'ephemeral',
    trustProject: request.trustProject === true,
    permissionMode: request.permissionMode,
    canAsk: () => request.dialogs.canAsk(),
    mayHaveRule: (method, toolName) => request.dialogs.mayHaveRule?.(method, { toolName }) ?? false,
    async askHostSelect({ title, message, options }, signal) {
      const detail = message === undefined ? {} : { message }
      const answer = await dialogs.ask({ method: 'select', title, options: [...options], ...detail }, { signal })
      return answer && 'value' in answer ? answer.value : undefined
    },
    notify: (message, type) => notify(hub, message, type),
    parametersOf,
    lastCustomEntry: (customType) => lastCustomData(storedBranch(manager()), customType),
    appendCustomEntry: (customType, data) => void manager().appendCustomEntry(customType, data),
  }
}

/** Says each custom entry as it is appended, by whomever; the library has no event for it. */
export function observeEntries(manager: SessionManager, hub: ObservationHub, modeChanged: () => void): void {
  onAppend(manager, (entry) => {
    if (entry.type !== 'custom' || OWN_RECORDS.test(entry.customType)) return
    hub.emit({ kind: 'custom-entry', customType: entry.customType, data: entry.data })
    if (entry.customType === ENSO_PERMISSION_MODE_ENTRY) modeChanged()
  })
}
