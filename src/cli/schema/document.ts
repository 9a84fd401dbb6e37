import type { TSchema } from '@sinclair/typebox'
import { createSchemaBook, type JsonSchema } from '../../core/schema-book.js'

/** The dialect of every schema that is printed. */
export const JSON_SCHEMA_DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/** A schema as a document of its own: what it refers to by name stands under `$defs`. */
export function schemaDocument(title: string, schema: TSchema): JsonSchema {
  const book = createSchemaBook('#/$defs')
  const root = book.schema(schema)
  const definitions = book.schemas()
  const { [title]: own, ...others } = definitions
  const held = JSON.stringify(others).includes(`"#/$defs/${title}"`) || own === undefined
  return {
    $schema: JSON_SCHEMA_DIALECT,
    title,
    // A schema that has a name of its own is printed in place, unless others refer to it.
    ...(held ? root : own),
    ...(Object.keys(others).length === 0 && !held ? {} : { $defs: held ? definitions : others }),
  }
}
