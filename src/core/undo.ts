import { type Static, Type } from '@sinclair/typebox'
import { closed } from './schema.js'

/** What stood at a path before a call changed it. */
export const EnsoUndoBefore = Type.Union([
  /** Nothing: the call made the file. */
  closed({ kind: Type.Literal('absent') }),
  /** A file, kept under its digest (SHA-256, hex). `mode`: its permission bits. */
  closed({ kind: Type.Literal('kept'), digest: Type.String(), bytes: Type.Integer(), mode: Type.Integer() }),
  /** A file that was not kept, and why. */
  closed({ kind: Type.Literal('not-kept'), why: Type.String() }),
])
export type EnsoUndoBefore = Static<typeof EnsoUndoBefore>

/**
 * One line of a thread's journal of changes: a call that is about to change a file, what the file held when the call
 * had ended, or that calls were undone.
 */
export const EnsoUndoEntry = Type.Union([
  closed({
    kind: Type.Literal('before'),
    toolCallId: Type.String(),
    toolName: Type.String(),
    /** Absolute, symbolic links followed. */
    path: Type.String(),
    /** ISO 8601. */
    at: Type.String(),
    before: EnsoUndoBefore,
  }),
  closed({
    kind: Type.Literal('after'),
    toolCallId: Type.String(),
    /** Of the file's content; null where there is no file. */
    digest: Type.Union([Type.String(), Type.Null()]),
  }),
  closed({ kind: Type.Literal('undone'), toolCallIds: Type.Array(Type.String()), at: Type.String() }),
])
export type EnsoUndoEntry = Static<typeof EnsoUndoEntry>
