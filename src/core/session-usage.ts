import { type Static, Type } from '@sinclair/typebox'
import { closed } from './schema.js'

/** How full the context window is, as the runtime reckons it. */
export const EnsoContextUsage = closed({
  /** Null right after a compaction, until the next response says. */
  tokens: Type.Union([Type.Number(), Type.Null()]),
  /** The window's size in tokens. */
  window: Type.Number(),
  /** 0 to 100. */
  percent: Type.Union([Type.Number(), Type.Null()]),
})
export type EnsoContextUsage = Static<typeof EnsoContextUsage>

/** The properties of {@link EnsoSessionUsage}, shared with the observation that carries them. */
export const sessionUsageProperties = {
  input: Type.Number(),
  output: Type.Number(),
  cacheRead: Type.Number(),
  cacheWrite: Type.Number(),
  /** In US dollars, as the provider's prices say; 0 where none are known. */
  cost: Type.Number(),
  /** Null when the thread is not live or its model declares no window. */
  context: Type.Union([EnsoContextUsage, Type.Null()]),
}

/** What a thread's session has spent, over every entry on every branch, and how full its context is. */
export const EnsoSessionUsage = closed(sessionUsageProperties)
export type EnsoSessionUsage = Static<typeof EnsoSessionUsage>
