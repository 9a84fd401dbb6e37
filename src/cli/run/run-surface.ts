import type {
  EnsoFollowFrame,
  EnsoHelloLine,
  EnsoReplyLine,
  EnsoResultLine,
  EnsoRunSummary,
  EnsoRunUsage,
} from '../../core/index.js'

/** A run that is over while the process goes on. */
export interface EndedRun extends EnsoRunSummary {
  readonly usage: EnsoRunUsage
  /** What to do about its outcome. */
  readonly hint?: string
}

/**
 * How a run speaks to whoever started it. The text surface and the JSON surface implement it; the run itself knows
 * neither. Calls come in the order of the lines: `hello`, then frames and replies, then one `result`.
 */
export interface RunSurface {
  hello(line: EnsoHelloLine): void
  /**
   * One frame of the follow. `line` is its JSON text, made once for every follower.
   * @returns false when the reader is behind: the feed keeps and coalesces what follows until `onReady` is called
   */
  frame(frame: EnsoFollowFrame, line: () => string): boolean
  /** Told when `frame` may be called again after it returned false. */
  onReady(callback: () => void): void
  reply(line: EnsoReplyLine): void
  /** Something a person should know that is no observation: one line, on standard error. */
  note(text: string): void
  /** A run is over; the process may take another prompt. Never told of what is no run: settings, commands. */
  runEnded?(run: EndedRun): void
  /** The last word. Resolves when everything written before it, and it, has reached the reader or can't any more. */
  result(line: EnsoResultLine): Promise<void>
  /** Called when the reader went away (a closed pipe). */
  onClosed(callback: () => void): void
}
