import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import { closed } from '../../core/schema.js'
import { operations } from '../../thread/operations.js'

/**
 * A request line of any operation: the operation's body inline, beside its name and the id to answer under. Made from
 * the operations table, so that it is what the reader takes.
 */
export function requestLineSchema(): TSchema {
  return Type.Union(operations.flatMap(({ name, body }) => bodies(body).map((one) => requestOf(name, one))))
}

/** The objects a body may be. */
function bodies(body: TSchema | undefined): TObject[] {
  if (body === undefined) return [closed({})]
  const variants = body['anyOf'] as TSchema[] | undefined
  if (variants !== undefined) return variants.flatMap(bodies)
  if (body['type'] !== 'object') throw new Error('an operation takes a body that is no object')
  return [body as TObject]
}

function requestOf(name: string, { properties }: TObject): TSchema {
  return closed({
    type: Type.Literal(name),
    requestId: Type.Optional(Type.String({ minLength: 1 })),
    ...properties,
  })
}
