import type { AbortCause } from '../../core/index.js'
import type { OperationOutcome } from '../../thread/operation.js'

/** What whoever asks things of a running thread holds: a request line, a person's prompt, an answer. */
export interface RunDoor {
  readonly threadId: string
  /** Resolves when the thread is followed: what was to be said before the first request has been. */
  readonly linked: Promise<void>
  /** Puts an operation to the thread: `prompt`, `dialog`, `abort`, … Never throws; a fault ends the run. */
  operate(name: string, body: unknown): Promise<OperationOutcome>
  /** Nothing runs, and everything put to the thread has been answered. */
  isQuiet(): boolean
  /** Stops everything: the run ends as aborted by this cause, and the process after it. */
  stop(cause: AbortCause): void
  /** Nothing further will be asked: once the thread is idle the process ends. */
  finish(): void
}

/**
 * Where the requests of a run come from beside its command line. Request lines are one source, a conversation on a
 * terminal another. A run without a source ends when its one prompt has settled.
 */
export interface RequestSource {
  /** Called once, after the hello, before the first prompt. */
  open(door: RunDoor): void
  /** The thread is idle: every request so far has settled. Called each time. */
  idle?(): void
  /** Ctrl-C. @returns whether it is dealt with here, so that the process goes on */
  interrupt?(): boolean
  /** The run is ending; nothing more is read. */
  close(): void
}
