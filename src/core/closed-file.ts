import type { Static, TSchema } from '@sinclair/typebox'
import { jsonFaultText, readJson } from './json-fault.js'
import type { LazyValidator } from './schema.js'
import { shapeReason } from './shape-reason.js'

/** A configuration file's text as a checked value, or one sentence why it can't be used. */
export type ClosedFileReading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string }

/**
 * Reads the JSON text of a file whose schema is closed; a byte order mark is passed over. An unknown key is a fault: a
 * misspelt rule must not be a rule that is silently absent.
 */
export function readClosedFile<T extends TSchema>(
  text: string,
  schema: T,
  validator: LazyValidator<T>,
): ClosedFileReading<Static<T>> {
  const json = readJson(text.startsWith('\uFEFF') ? text.slice(1) : text)
  if (!json.ok) return { ok: false, reason: `not JSON: ${jsonFaultText(json.fault)}` }
  if (validator.check(json.value)) return { ok: true, value: json.value }
  return { ok: false, reason: shapeReason(schema, json.value) ?? 'not of the expected shape' }
}
