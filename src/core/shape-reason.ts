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
  return shapeFault(schema, value)?.reason
}

/** The same with the keys that lead to the place. */
export function shapeFault(
  schema: TSchema,
  value: unknown,
): { readonly reason: string; readonly keys: readonly string[] } | undefined {
  const error = firstError(schema, value)
  return error === undefined ? undefined : { reason: sentence(error), keys: segments(error.path) }
}

/** Most faults looked through for the most telling one. */
const LOOKED_THROUGH = 32

/** The fault to say: an unknown key before a missing one; within a union, that of the variant the value is most like. */
function firstError(schema: TSchema, value: unknown, base = ''): ValueError | undefined {
  const errors: ValueError[] = []
  for (const error of Value.Errors(schema, value)) {
    errors.push({ ...error, path: base + error.path })
    if (error.type === ValueErrorType.ObjectAdditionalProperties || errors.length === LOOKED_THROUGH) break
  }
  const error = errors.find(({ type }) => type === ValueErrorType.ObjectAdditionalProperties) ?? errors[0]
  if (error === undefined || error.type !== ValueErrorType.Union) return error
  const variants = error.errors.map((variant) => [...variant])
  if (isPlainUnion(error.schema)) return error
  let best: ValueError[] | undefined
  for (const errors of variants) if (best === undefined || isNearer(errors, best)) best = errors
  const first = best?.[0]
  return first === undefined
    ? error
    : first.type === ValueErrorType.Union
      ? firstError(first.schema, first.value, base + first.path)
      : { ...first, path: base + first.path }
}

/** A union of literals: its fault is said as the list of them. */
function isPlainUnion(schema: TSchema): boolean {
  return (schema['anyOf'] as TSchema[]).every((variant) => 'const' in variant)
}

/** Nearer by weight; of equals the one that is wrong deeper inside. */
function isNearer(a: readonly ValueError[], b: readonly ValueError[]): boolean {
  const difference = weight(a) - weight(b)
  return difference < 0 || (difference === 0 && depth(a) > depth(b))
}

function depth(errors: readonly ValueError[]): number {
  return errors[0]?.path.split('/').length ?? 0
}

/** How far a variant is from the value. A wrong literal weighs most, then a foreign key: they tell variants apart. */
function weight(errors: readonly ValueError[]): number {
  return errors.reduce((sum, { type }) => sum + (WEIGHTS[type] ?? 1), 0)
}

const WEIGHTS: Readonly<Partial<Record<ValueErrorType, number>>> = {
  [ValueErrorType.Literal]: 100,
  [ValueErrorType.ObjectAdditionalProperties]: 10,
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
    case ValueErrorType.StringPattern:
      return `${at}expected ${error.schema.description ?? `a text like ${String(error.schema['pattern'])}`}`
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
