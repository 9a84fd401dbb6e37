import { type Static, Type } from '@sinclair/typebox'
import { readClosedFile } from './closed-file.js'
import { closed, lazyValidator } from './schema.js'

/** Text in one piece, or in exact chunks with a pause before each. */
export const EnsoScriptText = Type.Union([
  Type.String(),
  closed({
    deltas: Type.Array(Type.String()),
    /** Milliseconds before each delta; at most a minute. */
    delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000 })),
  }),
])
export type EnsoScriptText = Static<typeof EnsoScriptText>

/** A tool call of a scripted turn. An `id` left out is made, unique within the thread. */
export const EnsoScriptToolCall = closed({
  id: Type.Optional(Type.String({ minLength: 1 })),
  name: Type.String({ minLength: 1 }),
  args: Type.Record(Type.String(), Type.Unknown()),
})
export type EnsoScriptToolCall = Static<typeof EnsoScriptToolCall>

/** What must hold when a turn's turn has come; the run fails, saying so, where it doesn't. */
export const EnsoScriptExpectation = closed({
  /** Part of the text of the last tool result. */
  lastResultIncludes: Type.Optional(Type.String()),
  /** Part of the text of the last message of the person. */
  lastPromptIncludes: Type.Optional(Type.String()),
})
export type EnsoScriptExpectation = Static<typeof EnsoScriptExpectation>

/** One part of a reply whose parts come in another order than thinking, text, tool calls. */
export const EnsoScriptPart = Type.Union([
  closed({ thinking: EnsoScriptText }),
  closed({ text: EnsoScriptText }),
  closed({ toolCall: EnsoScriptToolCall }),
])
export type EnsoScriptPart = Static<typeof EnsoScriptPart>

/** One reply of the model: thinking, then text, then tool calls, then how it ended. Every part may be left out. */
export const EnsoScriptTurn = closed({
  expect: Type.Optional(EnsoScriptExpectation),
  /** Parts in an order of their own, played before the others. */
  content: Type.Optional(Type.Array(EnsoScriptPart)),
  thinking: Type.Optional(EnsoScriptText),
  text: Type.Optional(EnsoScriptText),
  toolCalls: Type.Optional(Type.Array(EnsoScriptToolCall)),
  /** Left out: `toolUse` when there are tool calls, else `stop`. */
  stopReason: Type.Optional(Type.Union([Type.Literal('stop'), Type.Literal('length'), Type.Literal('toolUse')])),
  /** The reply ends as a failure of the provider, after whatever content the turn has. */
  error: Type.Optional(
    closed({
      message: Type.String({ minLength: 1 }),
      /** The HTTP status the provider answered with. */
      status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599 })),
    }),
  ),
  usage: Type.Optional(
    closed({
      /** Tokens. */
      input: Type.Integer({ minimum: 0 }),
      output: Type.Integer({ minimum: 0 }),
      cacheRead: Type.Optional(Type.Integer({ minimum: 0 })),
      cacheWrite: Type.Optional(Type.Integer({ minimum: 0 })),
      /** Dollars for the whole reply. */
      cost: Type.Optional(Type.Number({ minimum: 0 })),
    }),
  ),
})
export type EnsoScriptTurn = Static<typeof EnsoScriptTurn>

/** A fork of the script: the first branch whose text is part of the last tool result is played, then what follows. */
export const EnsoScriptChoice = closed({
  branches: Type.Array(
    closed({
      ifLastResultIncludes: Type.String({ minLength: 1 }),
      turns: Type.Array(EnsoScriptTurn, { minItems: 1 }),
    }),
    { minItems: 1 },
  ),
  /** Played when no branch fits; left out, the run fails and says so. */
  otherwise: Type.Optional(Type.Array(EnsoScriptTurn, { minItems: 1 })),
})
export type EnsoScriptChoice = Static<typeof EnsoScriptChoice>

/** One step of a script: a turn, or a choice between lists of turns. */
export const EnsoScriptStep = Type.Union([EnsoScriptTurn, EnsoScriptChoice])
export type EnsoScriptStep = Static<typeof EnsoScriptStep>

/** Scripted assistant turns that stand in for a model, one for each request a thread makes. */
export const EnsoScript = closed({
  version: Type.Literal(1),
  /** The model's id, so that it is `script/<name>`; `script` when left out. */
  name: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' })),
  /** Tokens; 128,000 when left out. */
  contextWindow: Type.Optional(Type.Integer({ minimum: 1 })),
  turns: Type.Array(EnsoScriptStep, { minItems: 1 }),
  /** What is said, in order, to requests that belong to no thread's run: summaries of a compaction. */
  summaries: Type.Optional(Type.Array(EnsoScriptTurn)),
})
export type EnsoScript = Static<typeof EnsoScript>

/** A script, or why the text is none. */
export type ParsedScript =
  | { readonly ok: true; readonly script: EnsoScript }
  | { readonly ok: false; readonly reason: string }

const validator = lazyValidator(EnsoScript)

/** Reads the text of a script file. The reason names the place of what is wrong: `turns.2.toolCalls.0.name is missing`. */
export function parseScript(text: string): ParsedScript {
  const reading = readClosedFile(text, EnsoScript, validator)
  return reading.ok ? { ok: true, script: reading.value } : { ok: false, reason: reading.reason }
}

/** Everything a turn says, in the order it is said. */
export function scriptParts({ content = [], thinking, text, toolCalls = [] }: EnsoScriptTurn): EnsoScriptPart[] {
  return [
    ...content,
    ...(thinking === undefined ? [] : [{ thinking }]),
    ...(text === undefined ? [] : [{ text }]),
    ...toolCalls.map((toolCall) => ({ toolCall })),
  ]
}

/** Is this step a choice between branches? */
export function isScriptChoice(step: EnsoScriptStep): step is EnsoScriptChoice {
  return 'branches' in step
}
