import type { TSchema } from '@sinclair/typebox'
import * as core from './index.js'

/** A JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Turns schemas into references to named ones, and keeps those that were named. */
export interface SchemaBook {
  /** The schema as it stands in a document: a reference where it has a name. */
  schema(schema: TSchema): JsonSchema
  /** Every named schema that was asked for, directly or inside another. */
  schemas(): Readonly<Record<string, JsonSchema>>
}

/** The names of the core's schemas: a schema and its type share one. */
function namesOf(): ReadonlyMap<object, string> {
  const names = new Map<object, string>()
  for (const [name, value] of Object.entries(core)) {
    if (/^Enso[A-Z]/.test(name) && typeof value === 'object' && value !== null && !names.has(value))
      names.set(value, name)
  }
  return names
}

/** An empty book over the core's names. `place` is where in the document the named schemas will stand. */
export function createSchemaBook(place: string): SchemaBook {
  const names = namesOf()
  const kept = new Map<string, JsonSchema>()

  function refer(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(refer)
    if (typeof value !== 'object' || value === null) return value
    const name = names.get(value)
    if (name === undefined) return copy(value)
    if (!kept.has(name)) {
      // Named before it is looked into: a schema may hold itself.
      kept.set(name, {})
      kept.set(name, copy(value))
    }
    return { $ref: `${place}/${name}` }
  }

  /** Without the library's own symbols. */
  function copy(schema: object): JsonSchema {
    return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, refer(value)]))
  }

  return {
    schema: (schema) => refer(schema) as JsonSchema,
    schemas: () => Object.fromEntries([...kept].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}
