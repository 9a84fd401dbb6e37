/** Keywords that say nothing about a value. */
const WORDS = new Set(['$id', 'title', 'description', 'default', 'examples', '~kind', '~optional', '~readonly'])
const KIND = Symbol.for('TypeBox.Kind')

type Schema = Readonly<Record<string | symbol, unknown>>
/** What of a value a keyword of its schema allows. */
type Rule = (value: never, said: unknown, schema: Schema) => boolean

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: Number.isFinite,
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isSchema,
}

/** Only after `type` are a value's length, items and properties looked at. */
const RULES: Readonly<Record<string, Rule>> = {
  const: (value, said) => value === said,
  enum: (value, said) => Array.isArray(said) && said.includes(value),
  anyOf: (value, said) => Array.isArray(said) && said.some((one) => plainlyFits(one, value)),
  // More than one is a matter of what counts as a character.
  minLength: (value: string, said) => Number(said) <= 1 && value.length >= Number(said),
  maxLength: (value: string, said) => value.length <= Number(said),
  minimum: (value: number, said) => value >= Number(said),
  maximum: (value: number, said) => value <= Number(said),
  minItems: (value: unknown[], said) => value.length >= Number(said),
  maxItems: (value: unknown[], said) => value.length <= Number(said),
  items: (value: unknown[], said) => value.every((item) => plainlyFits(said, item)),
  required: (value: Schema, said) => Array.isArray(said) && said.every((name) => Object.hasOwn(value, name)),
  properties: (value: Schema, said) =>
    isSchema(said) &&
    Object.entries(said).every(([name, schema]) =>
      Object.hasOwn(value, name) ? plainlyFits(schema, value[name]) : !(name in value),
    ),
  patternProperties: (value: Schema, said) => {
    const [[pattern, schema] = [], ...more] = Object.entries(said as Schema)
    const isEach = more.length === 0 && (pattern === '^.*$' || pattern === '^(.*)$')
    return (
      isEach &&
      Object.entries(value).every(([name, held]) => !/[\n\r\u2028\u2029]/.test(name) && plainlyFits(schema, held))
    )
  },
  additionalProperties: (value: Schema, said, { properties }) =>
    said === true ||
    (said === false && isSchema(properties) && ownNames(value).every((name) => Object.hasOwn(properties, name))),
}

const ownNames = (value: Schema): string[] => Object.getOwnPropertyNames(value)

/**
 * Does the value fit the schema, as far as that is plain? `true` is certain. `false` says nothing: what the schema asks
 * may be more than is known here. Most values fit, and whoever asks this first loads no library for them.
 */
export function plainlyFits(schema: unknown, value: unknown): boolean {
  if (!isSchema(schema)) return false
  const asked = Object.keys(schema).filter((word) => !WORDS.has(word) && word !== 'type')
  if (schema['type'] === undefined) {
    if (asked.length === 0) return /^(?:Any|Unknown)$/.test(String(schema[KIND] ?? schema['~kind']))
    if (asked.length > 1 || !/^(?:const|enum|anyOf)$/.test(asked[0] ?? '')) return false
  } else if (TYPES[String(schema['type'])]?.(value) !== true) return false
  return asked.every((word) => RULES[word]?.(value as never, schema[word], schema) === true)
}
