import type { Readable, Writable } from 'node:stream'

/** A stream the command line reads from; `isTTY` as Node says it. */
export type CliInput = Readable & { readonly isTTY?: boolean; readonly fd?: number }

/** A stream the command line writes to; width and colour depth where it is a terminal. */
export type CliOutput = Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly fd?: number }

/** A person's terminal: what questions are read from and drawn on. */
export interface CliTerminal {
  readonly input: CliInput
  readonly output: CliOutput
}

/** Time, so that a test can hold it. Milliseconds since the epoch; timers never keep the process alive by themselves. */
export interface CliClock {
  now(): number
  /** Calls back after `ms`; the returned function cancels. */
  after(ms: number, callback: () => void): () => void
}

/** The signals a run listens to. The returned function stops listening. */
export type CliSignals = (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', handler: () => void) => () => void

/**
 * Everything the command line touches of the world, injected so that each surface is tested without a terminal, a
 * port or a sleep.
 */
export interface CliIo {
  /** Arguments after the program's name. */
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly stdin: CliInput
  /** The real standard output. Whoever else writes to `process.stdout` lands on standard error. */
  readonly stdout: CliOutput
  readonly stderr: CliOutput
  /** The terminal a person can be asked on (standard input, or the controlling terminal when that is piped). */
  readonly terminal: () => CliTerminal | undefined
  readonly clock: CliClock
  readonly signals: CliSignals
}
