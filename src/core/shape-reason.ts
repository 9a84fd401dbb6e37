import type { TSchema } from '@sinclair/typebox'
import { Value, type ValueError, ValueErrorType } from '@sinclair/typebox/value'
import { closestWord } from './closest-word.js'

/**
 * Why a value is not of a schema's shape, as one sentence for a person: the place, and what is wrong there. An unknown
 * key is named with the known one it is close to. Nothing when the value is of the shape.
 *
 * Slower than a check: for saying why, not for deciding.
 */
export function shapeReason(schema: TSchema, value: unknown): string | undefined {
  const error = firstError(schema, value)
  return error === undefined ? undefined : sentence(error)
}

/** Most faults looked through for the most telling one. */
const LOOKED_THROUGH = 32

/** The fault to say: an unknown key before a missing one; within a union, that of the variant the value is most like. */
function firstError(schema: TSchema, value: unknown): ValueError | undefined {
  const errors: ValueError[] = []
  for (const error of Value.Errors(schema, value)) {
    errors.push(error)
    if (error.type === ValueErrorType.ObjectAdditionalProperties || errors.length === LOOKED_THROUGH) break
  }
  const error = errors.find(({ type }) => type === ValueErrorType.ObjectAdditionalProperties) ?? errors[0]
  if (error === undefined || error.type !== ValueErrorType.Union) return error
  const variants = error.errors.map((variant) => [...variant])
  if (isPlainUnion(error.schema)) return error
  let best: ValueError[] | undefined
  for (const errors of variants) if (best === undefined || weight(errors) < weight(best)) best = errors
  const first = best?.[0]
  return first === undefined
    ? error
    : first.type === ValueErrorType.Union
      ? firstError(first.schema, first.value)
      : first
}

/** A union of literals: its fault is said as the list of them. */
function isPlainUnion(schema: TSchema): boolean {
  return (schema['anyOf'] as TSchema[]).every((variant) => 'const' in variant)
}

/** How far a variant is from the value. A wrong literal weighs most: it is what tells variants apart. */
function weight(errors: readonly ValueError[]): number {
  return errors.reduce((sum, error) => sum + (error.type === ValueErrorType.Literal ? 100 : 1), 0)
}

function sentence(error: ValueError): string {
  const keys = segments(error.path)
  const place = keys.join('.')
  const at = place === '' ? '' : `${place}: `
  switch (error.type) {
    case ValueErrorType.ObjectAdditionalProperties: {
      const known = Object.keys(error.schema['properties'] as Record<string, TSchema>)
      const near = closestWord(keys.at(-1) ?? '', known)
      return `unknown key ${place} (${near === undefined ? `known: ${known.join(', ')}` : `did you mean ${near}?`})`
    }
    case ValueErrorType.ObjectRequiredProperty:
      return `${place} is missing`
    case ValueErrorType.Union:
      return isPlainUnion(error.schema)
        ? `${at}expected ${(error.schema['anyOf'] as TSchema[]).map((variant) => JSON.stringify(variant['const'])).join(', ')}`
        : `${at}not of an expected shape`
    default:
      return `${at}${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`
  }
}

function segments(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}
