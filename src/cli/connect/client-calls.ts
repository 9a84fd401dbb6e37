import type {
  EnsoAbortReceipt,
  EnsoContextRequestChoice,
  EnsoContextRequestDetail,
  EnsoDialogBody,
  EnsoHostCommandRun,
  EnsoPermissionModeChange,
  EnsoPromptBody,
  EnsoPromptReceipt,
  EnsoSessionConfiguration,
  EnsoSessionUsage,
  EnsoThreadCommands,
  EnsoThreadContext,
  EnsoThreadEvents,
  EnsoThreadHistory,
  EnsoThreadInspection,
  EnsoThreadStats,
  EnsoThreadTimeline,
} from '../../core/index.js'

/** What each operation of a thread takes and answers, as the table of operations has it. */
export interface ClientCalls {
  prompt: { readonly body: EnsoPromptBody; readonly result: EnsoPromptReceipt }
  dialog: { readonly body: EnsoDialogBody; readonly result: null }
  abort: { readonly body: undefined; readonly result: EnsoAbortReceipt }
  command: { readonly body: EnsoHostCommandRun; readonly result: null }
  configure: { readonly body: EnsoSessionConfiguration; readonly result: null }
  mode: { readonly body: EnsoPermissionModeChange; readonly result: null }
  commands: { readonly body: undefined; readonly result: EnsoThreadCommands }
  history: { readonly body: undefined; readonly result: EnsoThreadHistory }
  events: { readonly body: undefined; readonly result: EnsoThreadEvents }
  timeline: { readonly body: undefined; readonly result: EnsoThreadTimeline }
  stats: { readonly body: undefined; readonly result: EnsoThreadStats }
  context: { readonly body: undefined; readonly result: EnsoThreadContext }
  'context-request': { readonly body: EnsoContextRequestChoice; readonly result: EnsoContextRequestDetail }
  usage: { readonly body: undefined; readonly result: EnsoSessionUsage }
  inspect: { readonly body: undefined; readonly result: EnsoThreadInspection }
}

/** The same names as values, so that a test can hold them against the table. */
export const CLIENT_CALLS: Readonly<Record<keyof ClientCalls, true>> = {
  prompt: true,
  dialog: true,
  abort: true,
  command: true,
  configure: true,
  mode: true,
  commands: true,
  history: true,
  events: true,
  timeline: true,
  stats: true,
  context: true,
  'context-request': true,
  usage: true,
  inspect: true,
}
