import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { Value, type ValueError } from '@sinclair/typebox/value'
import { plainlyFits } from './plainly-fits.js'

/** An object schema that refuses keys it does not name. */
export function closed<P extends TProperties>(properties: P): TObject<P> {
  return Type.Object(properties, { additionalProperties: false })
}

/** Checks values against one schema. */
export interface LazyValidator<T extends TSchema> {
  check(value: unknown): value is Static<T>
  /** The first thing wrong with `value`, or nothing. Slower than `check`: for saying why, not for deciding. */
  firstError(value: unknown): ValueError | undefined
}

/** Values that are checked by walking the schema, before it is compiled. */
const WALKED = 2

/**
 * A validator that costs nothing until it is asked, and checks at compiled speed when it is asked often: compiling a
 * schema takes longer than walking it once.
 *
 * Where code generation is forbidden (a page under a strict content policy) it checks by walking the schema instead.
 */
export function lazyValidator<T extends TSchema>(schema: T): LazyValidator<T> {
  let walked = 0
  let checker: ((value: unknown) => boolean) | undefined
  return {
    check: (value): value is Static<T> =>
      walked++ < WALKED
        ? plainlyFits(schema, value) || Value.Check(schema, value)
        : (checker ??= checkerOf(schema))(value),
    firstError: (value) => Value.Errors(schema, value).First(),
  }
}

function checkerOf(schema: TSchema): (value: unknown) => boolean {
  try {
    const compiled = TypeCompiler.Compile(schema)
    return (value) => compiled.Check(value)
  } catch (error) {
    if (!(error instanceof EvalError)) throw error
    return (value) => Value.Check(schema, value)
  }
}
