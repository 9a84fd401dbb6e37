import { type Static, Type } from '@sinclair/typebox'
import { closed } from './schema.js'

/** A model, by provider and id, and the name it is shown with. */
export const EnsoModelChoice = closed({ provider: Type.String(), id: Type.String(), name: Type.String() })
export type EnsoModelChoice = Static<typeof EnsoModelChoice>

/** The properties of {@link EnsoModelState}, shared with the observation that carries them. */
export const modelStateProperties = {
  /** Null when the session has no model it could run. */
  model: Type.Union([EnsoModelChoice, Type.Null()]),
  thinkingLevel: Type.String(),
  /** What the current model offers. */
  availableThinkingLevels: Type.Array(Type.String()),
}

/** The model a session runs with and how hard it thinks. */
export const EnsoModelState = closed(modelStateProperties)
export type EnsoModelState = Static<typeof EnsoModelState>
