import { type Static, Type } from '@sinclair/typebox'
import { closed, lazyValidator } from './schema.js'

/** Custom entry that records the system prompt, whenever it is another one than was recorded last. */
export const ENSO_CONTEXT_SYSTEM_ENTRY = 'enso-context-system'

/** Custom entry that records the tool definitions, whenever they are others than were recorded last. */
export const ENSO_CONTEXT_TOOLS_ENTRY = 'enso-context-tools'

/** The system prompt of the requests that follow, in pieces; joined they are the prompt as it was sent. */
export const EnsoContextSystemRecord = closed({
  /** Of the whole prompt; equal where the prompt is. */
  hash: Type.String(),
  sections: Type.Array(
    closed({
      key: Type.String(),
      label: Type.String(),
      /** `injected` is what the harness added to the agent's own instructions: project files, skills, an addendum. */
      category: Type.Union([Type.Literal('system'), Type.Literal('injected')]),
      text: Type.String(),
    }),
  ),
})
export type EnsoContextSystemRecord = Static<typeof EnsoContextSystemRecord>

/** The tools that the requests that follow offer to the model, in order. */
export const EnsoContextToolsRecord = closed({
  hash: Type.String(),
  tools: Type.Array(
    closed({
      name: Type.String(),
      description: Type.String(),
      /** JSON Schema. */
      parameters: Type.Unknown(),
    }),
  ),
})
export type EnsoContextToolsRecord = Static<typeof EnsoContextToolsRecord>

const systemValidator = lazyValidator(EnsoContextSystemRecord)
const toolsValidator = lazyValidator(EnsoContextToolsRecord)

/** The system prompt that a custom entry records; nothing for any other entry and for a malformed one. */
export function readContextSystem(customType: string, data: unknown): EnsoContextSystemRecord | undefined {
  return customType === ENSO_CONTEXT_SYSTEM_ENTRY && systemValidator.check(data) ? data : undefined
}

/** The tools that a custom entry records; nothing for any other entry and for a malformed one. */
export function readContextTools(customType: string, data: unknown): EnsoContextToolsRecord | undefined {
  return customType === ENSO_CONTEXT_TOOLS_ENTRY && toolsValidator.check(data) ? data : undefined
}
