import type { Static, TSchema } from '@sinclair/typebox'
import { jsonFaultText, readJson } from './json-fault.js'
import { jsonPlace } from './json-place.js'
import type { LazyValidator } from './schema.js'
import { shapeFault } from './shape-reason.js'

/** A configuration file's text as a checked value, or one sentence why it can't be used. */
export type ClosedFileReading<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false
      readonly reason: string
      /** Where in the text the value stands that is not of the shape: `line 3, column 5`. */
      readonly place?: string
    }

/**
 * Reads the JSON text of a file whose schema is closed; a byte order mark is passed over. An unknown key is a fault: a
 * misspelt rule must not be a rule that is silently absent.
 */
export function readClosedFile<T extends TSchema>(
  text: string,
  schema: T,
  validator: LazyValidator<T>,
): ClosedFileReading<Static<T>> {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text
  const json = readJson(plain)
  if (!json.ok) return { ok: false, reason: `not JSON: ${jsonFaultText(json.fault)}` }
  if (validator.check(json.value)) return { ok: true, value: json.value }
  const fault = shapeFault(schema, json.value)
  if (fault === undefined) return { ok: false, reason: 'not of the expected shape' }
  const { line, column } = jsonPlace(plain, fault.keys)
  return { ok: false, reason: fault.reason, place: `line ${line}, column ${column}` }
}

/** Why a file can't be used, with the place where there is one to look at. */
export function closedFileFault({ reason, place }: { readonly reason: string; readonly place?: string }): string {
  return place === undefined ? reason : `${place}: ${reason}`
}
