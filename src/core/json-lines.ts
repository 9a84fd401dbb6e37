import { type Static, Type } from '@sinclair/typebox'
import { EnsoFollowObservation, EnsoFollowSnapshot, EnsoFollowStatus } from './follow.js'
import { EnsoOutcome } from './exit-codes.js'
import { EnsoProviderRefusal } from './provider-refusal.js'
import { EnsoRefusal } from './refusal.js'
import { closed } from './schema.js'
import { EnsoContextMakeup } from './thread-context.js'

/** The version of the JSON lines; a reader refuses one it does not know. */
export const ENSO_PROTOCOL = 1

/** The `requestId` of the prompt that came on the command line. */
export const ENSO_ARGV_REQUEST_ID = 'argv'

/** The first line, written at once: who speaks, and about which thread. */
export const EnsoHelloLine = closed({
  type: Type.Literal('hello'),
  protocol: Type.Literal(ENSO_PROTOCOL),
  /** enso's version. */
  enso: Type.String(),
  threadId: Type.String(),
  cwd: Type.String(),
})
export type EnsoHelloLine = Static<typeof EnsoHelloLine>

/**
 * The answer to a request line. A success is said only to a line with a `requestId`; a refusal always, with the number
 * of the line it is about. What answers nothing over HTTP has `result: null`.
 */
export const EnsoReplyLine = Type.Union([
  closed({
    type: Type.Literal('reply'),
    requestId: Type.String(),
    ok: Type.Literal(true),
    result: Type.Unknown(),
  }),
  closed({
    type: Type.Literal('reply'),
    requestId: Type.Optional(Type.String()),
    ok: Type.Literal(false),
    /** Counted from 1, blank lines included. */
    line: Type.Optional(Type.Integer({ minimum: 1 })),
    refusal: EnsoRefusal,
  }),
])
export type EnsoReplyLine = Static<typeof EnsoReplyLine>

/** Tokens spent by runs, over all their requests. */
export const EnsoRunUsage = closed({
  input: Type.Number(),
  output: Type.Number(),
  cacheRead: Type.Number(),
  cacheWrite: Type.Number(),
})
export type EnsoRunUsage = Static<typeof EnsoRunUsage>

/** A bound that was reached: its name, its value, and what had been used. */
export const EnsoLimitHit = closed({
  name: Type.Union([
    Type.Literal('turns'),
    Type.Literal('cost'),
    Type.Literal('tokens'),
    Type.Literal('time'),
    Type.Literal('idle'),
  ]),
  value: Type.Number(),
  used: Type.Number(),
})
export type EnsoLimitHit = Static<typeof EnsoLimitHit>

/** How the questions of a process ended, counted. */
export const EnsoDialogCounts = closed({
  /** By a person or program. */
  answered: Type.Integer(),
  /** By a standing rule. */
  byRule: Type.Integer(),
  cancelled: Type.Integer(),
  timedOut: Type.Integer(),
  aborted: Type.Integer(),
})
export type EnsoDialogCounts = Static<typeof EnsoDialogCounts>

/** One run of several, within the result. */
export const EnsoRunSummary = closed({
  generation: Type.Integer(),
  outcome: EnsoOutcome,
  exitCode: Type.Integer(),
  turns: Type.Integer(),
  durationMs: Type.Number(),
  cost: Type.Number(),
  reason: Type.Optional(Type.String()),
})
export type EnsoRunSummary = Static<typeof EnsoRunSummary>

/** What a run would be, where nothing was run: the thread's settings, and an estimate of its first request. */
export const EnsoDryRun = closed({
  /** `provider/id`. */
  model: Type.String(),
  thinking: Type.String(),
  permissionMode: Type.String(),
  /** Could a person or program answer a question? */
  canAsk: Type.Boolean(),
  /** `on`, or why shell commands are not confined. */
  sandbox: Type.String(),
  /** Folders that may be written, absolute. */
  writeRoots: Type.Array(Type.String()),
  /** As they are offered to the model, with the estimated tokens of each definition. */
  tools: Type.Array(closed({ name: Type.String(), tokens: Type.Integer() })),
  /** Estimated tokens of the first request by what they are. */
  context: EnsoContextMakeup,
  /** Tokens the model takes; 0 where that is not known. */
  window: Type.Integer(),
  /** What a person should know of the choice of the thread, and of its start. */
  notes: Type.Array(Type.String()),
})
export type EnsoDryRun = Static<typeof EnsoDryRun>

/** The last line, exactly once, on every way out but a closed standard output. */
export const EnsoResultLine = closed({
  type: Type.Literal('result'),
  outcome: EnsoOutcome,
  /** What the process exits with. */
  exitCode: Type.Integer(),
  /** Null when no thread was chosen yet. */
  threadId: Type.Union([Type.String(), Type.Null()]),
  /** The last reply's text. */
  text: Type.String(),
  /** The reply as checked structured output, where a schema was given. */
  structured: Type.Optional(Type.Unknown()),
  usage: EnsoRunUsage,
  /** US dollars; 0 where no price is known. */
  cost: Type.Number(),
  /** Model requests. */
  turns: Type.Integer(),
  durationMs: Type.Number(),
  dialogs: EnsoDialogCounts,
  /** Tool calls denied, counted by the rule that denied them. */
  denials: Type.Record(Type.String(), Type.Integer()),
  limit: Type.Optional(EnsoLimitHit),
  /** Prompts that waited when the run was stopped, handed back as typed. */
  restored: Type.Array(Type.String()),
  /** The provider's last refusal, where that decided. */
  refusal: Type.Optional(EnsoProviderRefusal),
  /** One sentence why the outcome is not `done`. */
  reason: Type.Optional(Type.String()),
  /** What to do about it. */
  hint: Type.Optional(Type.String()),
  /** What would have run, with `--dry-run`. */
  dryRun: Type.Optional(EnsoDryRun),
  /** Each run, when there were several; outcome and exit code above are the last one's. */
  runs: Type.Optional(Type.Array(EnsoRunSummary)),
})
export type EnsoResultLine = Static<typeof EnsoResultLine>

/** Any line on standard output. */
export const EnsoOutputLine = Type.Union([
  EnsoHelloLine,
  EnsoFollowSnapshot,
  EnsoFollowObservation,
  EnsoFollowStatus,
  EnsoReplyLine,
  EnsoResultLine,
])
export type EnsoOutputLine = Static<typeof EnsoOutputLine>

/**
 * What every request line has: an operation's name, and an id to be answered under. The operation's body stands beside
 * them, inline. `id` is a dialog's and correlates nothing.
 */
export const EnsoRequestLine = Type.Object({
  type: Type.String({ minLength: 1 }),
  requestId: Type.Optional(Type.String({ minLength: 1 })),
})
export type EnsoRequestLine = Static<typeof EnsoRequestLine>
