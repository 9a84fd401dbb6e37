import { type Static, Type } from '@sinclair/typebox'
import { closed } from './schema.js'
import { EnsoContextUsage } from './session-usage.js'

/** Most additions a request's brief lists by name; the rest is counted. */
export const ENSO_CONTEXT_ADDITIONS_SHOWN = 6

/** Name of the host command that opens the context view. */
export const ENSO_CONTEXT_COMMAND = 'context'

/** Largest image a context element carries, in decoded bytes: 256 KiB. A larger one is described by kind and size. */
export const ENSO_CONTEXT_IMAGE_PREVIEW_BYTES = 256 * 1024

/**
 * What a piece of the context is: the standing instructions (`system`), tool definitions (`tools`), prompts (`user`),
 * what the harness or an extension added beyond the conversation (`injected`), replies (`assistant`), tool results.
 */
export const EnsoContextCategory = Type.Union([
  Type.Literal('system'),
  Type.Literal('tools'),
  Type.Literal('user'),
  Type.Literal('injected'),
  Type.Literal('assistant'),
  Type.Literal('toolResults'),
])
export type EnsoContextCategory = Static<typeof EnsoContextCategory>

/** A context's estimated tokens by category. */
export const EnsoContextMakeup = closed({
  system: Type.Integer(),
  tools: Type.Integer(),
  user: Type.Integer(),
  injected: Type.Integer(),
  assistant: Type.Integer(),
  toolResults: Type.Integer(),
})
export type EnsoContextMakeup = Static<typeof EnsoContextMakeup>

/** One thing that entered the context since the request before, or, in a request's detail, left it. */
export const EnsoContextAddition = closed({
  /** Names the element; the same over all requests. */
  key: Type.String(),
  label: Type.String(),
  category: EnsoContextCategory,
})
export type EnsoContextAddition = Static<typeof EnsoContextAddition>

/** One model request: what its context was estimated at, and what the provider reported. */
export const EnsoContextRequest = closed({
  /** Counted from 1 over the branch's prompts. */
  prompt: Type.Integer(),
  /** Counted from 1 over the branch's requests. */
  turn: Type.Integer(),
  /** ISO 8601. */
  at: Type.String(),
  model: Type.String(),
  estimated: EnsoContextMakeup,
  /** The provider's own numbers: tokens sent, cached ones included, and tokens written. */
  actual: closed({ prompt: Type.Number(), cacheRead: Type.Number(), output: Type.Number() }),
  brief: closed({
    /** The first words of the prompt it belongs to. */
    prompt: Type.String(),
    /** The first words of the reply. */
    reply: Type.String(),
    /** Names of the tools the reply called. */
    toolCalls: Type.Array(Type.String()),
    added: Type.Array(EnsoContextAddition),
    /** How many additions are not listed. */
    moreAdded: Type.Integer(),
  }),
  /** The context was compacted since the request before. */
  compaction: Type.Optional(closed({ tokensBefore: Type.Number() })),
})
export type EnsoContextRequest = Static<typeof EnsoContextRequest>

/**
 * Why the context changed: something was added beyond the conversation (`inject`), replaced by a summary (`compact`),
 * removed by an extension (`prune`), or the model, thinking level (`switch`) or permission mode (`mode`) changed.
 */
export const EnsoContextEventKind = Type.Union([
  Type.Literal('inject'),
  Type.Literal('compact'),
  Type.Literal('prune'),
  Type.Literal('switch'),
  Type.Literal('mode'),
])
export type EnsoContextEventKind = Static<typeof EnsoContextEventKind>

/** One change of the context: when, why, and what it weighs. */
export const EnsoContextEvent = closed({
  key: Type.String(),
  kind: EnsoContextEventKind,
  label: Type.String(),
  at: Type.String(),
  /** The request it came before. */
  turn: Type.Integer(),
  /** Estimated tokens; negative where some left. */
  tokens: Type.Integer(),
})
export type EnsoContextEvent = Static<typeof EnsoContextEvent>

/** One thing that a tool call did to a file. Shell commands name no files and are not here. */
export const EnsoFileOperation = closed({
  key: Type.String(),
  kind: Type.Union([Type.Literal('read'), Type.Literal('write'), Type.Literal('search')]),
  tool: Type.String(),
  path: Type.String(),
  /** What was read, written or searched for, in a few words. */
  subject: Type.String(),
  at: Type.String(),
  turn: Type.Integer(),
  isError: Type.Boolean(),
  /** Lines added and removed, of a write. */
  added: Type.Integer(),
  removed: Type.Integer(),
  /** Matches in this file, of a search. */
  hits: Type.Integer(),
  image: Type.Boolean(),
  /** The context element that holds the result. */
  resultKey: Type.Optional(Type.String()),
})
export type EnsoFileOperation = Static<typeof EnsoFileOperation>

/** A thread's context: now, and at every request on its branch. */
export const EnsoThreadContext = closed({
  threadId: Type.String(),
  live: Type.Boolean(),
  /** Null when the thread is not live. */
  usage: Type.Union([EnsoContextUsage, Type.Null()]),
  /** What the next request would carry. */
  next: EnsoContextMakeup,
  requests: Type.Array(EnsoContextRequest),
  events: Type.Array(EnsoContextEvent),
  files: Type.Array(EnsoFileOperation),
})
export type EnsoThreadContext = Static<typeof EnsoThreadContext>

/** An image in a context element. `data` is base64, and only of images small enough to preview. */
export const EnsoContextImage = closed({
  mimeType: Type.String(),
  bytes: Type.Integer(),
  data: Type.Optional(Type.String()),
})
export type EnsoContextImage = Static<typeof EnsoContextImage>

/** What a context element holds: a text, a tool's definition, a reply's parts in order, or a tool's result. */
export const EnsoContextBody = Type.Union([
  closed({ kind: Type.Literal('text'), text: Type.String(), images: Type.Array(EnsoContextImage) }),
  closed({
    kind: Type.Literal('tool'),
    name: Type.String(),
    description: Type.String(),
    /** JSON Schema, as the provider gets it. */
    parameters: Type.Unknown(),
  }),
  closed({
    kind: Type.Literal('reply'),
    parts: Type.Array(
      Type.Union([
        closed({ type: Type.Literal('text'), text: Type.String() }),
        closed({ type: Type.Literal('thinking'), text: Type.String() }),
        closed({ type: Type.Literal('toolCall'), name: Type.String(), arguments: Type.Unknown() }),
      ]),
    ),
  }),
  closed({
    kind: Type.Literal('toolResult'),
    toolName: Type.String(),
    /** The call's arguments, where the call is on the branch. */
    arguments: Type.Optional(Type.Unknown()),
    text: Type.String(),
    images: Type.Array(EnsoContextImage),
    isError: Type.Boolean(),
  }),
])
export type EnsoContextBody = Static<typeof EnsoContextBody>

/** One element of a request's context. */
export const EnsoContextElement = closed({
  key: Type.String(),
  category: EnsoContextCategory,
  label: Type.String(),
  at: Type.Optional(Type.String()),
  /** Estimated. */
  tokens: Type.Integer(),
  /** It was not in the request before. */
  entered: Type.Boolean(),
  body: EnsoContextBody,
})
export type EnsoContextElement = Static<typeof EnsoContextElement>

/** One request's context, element by element. `next` is the request that has not been sent yet. */
export const EnsoContextRequestDetail = closed({
  threadId: Type.String(),
  request: Type.Union([Type.Integer(), Type.Literal('next')]),
  elements: Type.Array(EnsoContextElement),
  left: Type.Array(EnsoContextAddition),
})
export type EnsoContextRequestDetail = Static<typeof EnsoContextRequestDetail>

/** Body of the `context-request` operation: which request of the branch, counted from 1, or the one that comes next. */
export const EnsoContextRequestChoice = closed({
  request: Type.Union([
    Type.Integer({ minimum: 1 }),
    Type.Literal('next'),
    /** The number as a path spells it. */
    Type.String({ pattern: '^[1-9][0-9]{0,8}$' }),
  ]),
})
export type EnsoContextRequestChoice = Static<typeof EnsoContextRequestChoice>
