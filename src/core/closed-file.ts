import type { Static, TSchema } from '@sinclair/typebox'
import { ValueErrorType } from '@sinclair/typebox/value'
import { closestWord } from './closest-word.js'
import { jsonFaultText, readJson } from './json-fault.js'
import type { LazyValidator } from './schema.js'

/** A configuration file's text as a checked value, or one sentence why it can't be used. */
export type ClosedFileReading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string }

/**
 * Reads the JSON text of a file whose schema is closed. An unknown key is a fault, named with the known key it is
 * close to: a misspelt rule must not be a rule that is silently absent.
 */
export function readClosedFile<T extends TSchema>(
  text: string,
  schema: T,
  validator: LazyValidator<T>,
): ClosedFileReading<Static<T>> {
  const json = readJson(text.startsWith('\uFEFF') ? text.slice(1) : text)
  if (!json.ok) return { ok: false, reason: `not JSON: ${jsonFaultText(json.fault)}` }
  if (validator.check(json.value)) return { ok: true, value: json.value }
  const error = validator.firstError(json.value)
  if (error === undefined) return { ok: false, reason: 'not of the expected shape' }
  const place = error.path === '' ? 'the file' : pathText(error.path)
  if (error.type === ValueErrorType.ObjectAdditionalProperties) {
    const key = lastKey(error.path)
    const known = knownKeys(schema, error.path)
    const near = closestWord(key, known)
    const advice = near === undefined ? `known here: ${known.join(', ')}` : `did you mean ${near}?`
    return { ok: false, reason: `unknown key ${place} (${advice})` }
  }
  if (error.type === ValueErrorType.ObjectRequiredProperty) return { ok: false, reason: `${place} is missing` }
  return { ok: false, reason: `${place}: ${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}` }
}

function segments(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function lastKey(path: string): string {
  return segments(path).at(-1) ?? ''
}

function pathText(path: string): string {
  return segments(path).join('.')
}

/** The keys the schema knows where the path's last key stands. */
function knownKeys(schema: TSchema, path: string): string[] {
  let at: TSchema | undefined = schema
  for (const part of segments(path).slice(0, -1)) {
    const properties = at?.['properties'] as Record<string, TSchema> | undefined
    at = properties?.[part] ?? (at?.['items'] as TSchema | undefined)
  }
  return Object.keys((at?.['properties'] as Record<string, TSchema> | undefined) ?? {})
}
