import { type Static, Type } from '@sinclair/typebox'
import { closed, lazyValidator } from './schema.js'

/** Key of our descriptor in a tool result's metadata bag. No dot: a path accessor would read one as two keys. */
export const ENSO_TOOL_RESULT_KEY = 'enso:toolResult'

/** What a truncation counts. Closed: a surface words each one. */
export const EnsoTruncationUnit = Type.Union([Type.Literal('lines'), Type.Literal('bytes'), Type.Literal('items')])
export type EnsoTruncationUnit = Static<typeof EnsoTruncationUnit>

/** How much of a result is shown, as data: each surface says it in its own way. */
export const EnsoTruncation = closed({ shown: Type.Integer(), total: Type.Integer(), unit: EnsoTruncationUnit })
export type EnsoTruncation = Static<typeof EnsoTruncation>

/**
 * A tool result described for a renderer. `kind` is open: a surface that does not know it shows the result's text.
 * `props` are plain data.
 */
export const EnsoToolResultDescriptor = closed({
  kind: Type.String(),
  props: Type.Record(Type.String(), Type.Unknown()),
  truncated: Type.Optional(EnsoTruncation),
})
export type EnsoToolResultDescriptor = Static<typeof EnsoToolResultDescriptor>

const descriptorValidator = lazyValidator(EnsoToolResultDescriptor)

/** True for a well-formed descriptor. */
export function isEnsoToolResultDescriptor(value: unknown): value is EnsoToolResultDescriptor {
  return descriptorValidator.check(value)
}

/** The descriptor a metadata bag carries under {@link ENSO_TOOL_RESULT_KEY}; nothing when absent or malformed. */
export function readEnsoToolResultDescriptor(
  metadata: Record<string, unknown> | undefined,
): EnsoToolResultDescriptor | undefined {
  const value = metadata?.[ENSO_TOOL_RESULT_KEY]
  return isEnsoToolResultDescriptor(value) ? value : undefined
}
