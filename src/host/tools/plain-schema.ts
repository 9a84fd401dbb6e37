import type { TSchema as ToolSchema } from '@mariozechner/pi-ai'
import type { TSchema } from '@sinclair/typebox'

/**
 * A schema of ours as the agent library takes it: plain JSON Schema. With our library's marks on it the agent library,
 * which has another version of the same library, would not coerce a model's `"3"` to a number.
 */
export function plainSchema(schema: TSchema): ToolSchema {
  return JSON.parse(JSON.stringify(schema)) as ToolSchema
}
