/**
 * The templates of the records that statistics are folded from: one spelling for whoever writes them and whoever reads.
 *
 * Beside what its template names, each carries `threadId` and `generation` where it is about a run.
 */
export const ENSO_LOG_EVENTS = {
  /** A process's first record; also `pid`, `startedAt` (ISO) and `process`. */
  loggingConfigured: 'logging configured: file {file}, console {console}, overrides {overrides}',
  /** A completed message with its spending, once per message; also `cacheRead`, `cacheWrite`, `totalCost`, `model`. */
  messageUsage: 'message {role} used {input} in, {output} out',
  /** One observation, compactly; what it is about is its `kind`. */
  observation: '{kind}',
  /** A prompt was let in; `admission` is `opened` or `queued`. */
  promptAdmitted: 'prompt {messageId} {admission} on run {generation}',
  /** A run took the thread's lease. */
  runAcquired: 'run {generation} acquired',
  /** The run's first streamed text, milliseconds after the lease was taken; once per run. */
  runFirstDelta: 'run {generation} first delta after {firstDeltaMs}ms',
  /** The run gave the lease back. */
  runReleased: 'run {generation} released; idle timer {idleTimeoutMs} ms',
  /** A guard refused a tool call; also `rule` and `toolCallId`. */
  toolDenied: '{toolName} denied: {reason}',
} as const
