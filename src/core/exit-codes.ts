import { type Static, Type } from '@sinclair/typebox'

/** How a run ended, as a word a script can branch on. */
export const EnsoOutcome = Type.Union([
  Type.Literal('done'),
  Type.Literal('error'),
  Type.Literal('usage'),
  Type.Literal('blocked'),
  Type.Literal('limit'),
  Type.Literal('provider'),
  Type.Literal('busy'),
  Type.Literal('not-found'),
  Type.Literal('aborted'),
])
export type EnsoOutcome = Static<typeof EnsoOutcome>

/** The exit code of each outcome. `aborted` has one by cause; see {@link ENSO_ABORT_EXIT_CODES}. */
export const ENSO_EXIT_CODES = {
  done: 0,
  error: 1,
  usage: 2,
  blocked: 3,
  limit: 4,
  provider: 5,
  busy: 6,
  'not-found': 6,
  aborted: 130,
} as const satisfies Record<EnsoOutcome, number>

/** The exit code of an aborted run, by what stopped it. */
export const ENSO_ABORT_EXIT_CODES = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
  /** An `abort` request, or Ctrl-C in a question. */
  abort: 130,
  /** Whoever read standard output went away. */
  'stdout-closed': 141,
} as const

/** What stopped a run from outside. */
export type AbortCause = keyof typeof ENSO_ABORT_EXIT_CODES
