import { Ajv, type ErrorObject, type Options } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { EnsoError } from '../../core/index.js'
import { loose } from '../observe/message-values.js'

/** A schema that an answer is checked by. */
export interface OutputSchema {
  /** What a tool that takes the answer says it takes: always an object, as every provider wants it. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The whole schema as text, where what providers pass on of the parameters does not say all of it. */
  readonly fullText: string | undefined
  /** The answer in the arguments of a call. */
  answerIn(args: unknown): unknown
  /** What is wrong with an answer, or `undefined` when it fits. The answer itself is never changed. */
  problem(answer: unknown): string | undefined
}

/** The longest schema, as JSON, in characters: it is part of every request. */
const SCHEMA_MAX_CHARS = 256 * 1024
const PROBLEMS_NAMED = 8
/** Where an answer that is no object stands in the arguments. */
const ANSWER_KEY = 'answer'
/** Keys of an object's schema that every provider passes on, or that say nothing to a model. */
const PASSED_ON = new Set(['type', 'properties', 'required', 'title', 'description', '$schema', '$id', '$comment'])

const DEFAULT_DRAFT = 'https://json-schema.org/draft/2020-12/schema'

type Check = ((value: unknown) => boolean) & { errors?: ErrorObject[] | null }

/** @throws whatever the checker says of a schema that is none */
function compile(schema: object, draft: string, options: Options): Check {
  if (/draft\/2020-12\//.test(draft)) return new Ajv2020(options).compile(schema)
  if (/draft\/2019-09\//.test(draft)) return new Ajv2019(options).compile(schema)
  if (/draft-07\//.test(draft)) return new Ajv(options).compile(schema)
  throw new Error(`the draft ${draft} is not known: 2020-12, 2019-09 and draft-07 are`)
}

/** @throws EnsoError `bad-input` */
function checkOf(schema: object, draft: string): Check {
  try {
    return compile(schema, draft, { allErrors: true, strict: false, validateFormats: false, logger: false })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EnsoError('bad-input', `the output schema is not valid: ${reason}`, { cause })
  }
}

function sentenceOf({ instancePath, message, params }: ErrorObject): string {
  const more = loose(params)['additionalProperty']
  const named = typeof more === 'string' ? ` (${more})` : ''
  return `${instancePath === '' ? 'the answer' : instancePath} ${message ?? 'does not fit'}${named}`
}

/** An object's schema is a tool's own; anything else stands under one key, its definitions beside it. */
function parametersOf(schema: Record<string, unknown>, isObject: boolean): Record<string, unknown> {
  const { $schema: _draft, $id: _id, ...own } = schema
  if (isObject) return { ...own, type: 'object' }
  const { $defs, definitions, ...answer } = own
  return {
    type: 'object',
    properties: { [ANSWER_KEY]: answer },
    required: [ANSWER_KEY],
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  }
}

/**
 * Makes a schema usable. 2020-12 unless it names an older draft; `format` is a note and checks nothing.
 * @throws EnsoError `bad-input` for what is no schema, too long, of an unknown draft, or refers to something outside
 */
export function compileOutputSchema(given: unknown): OutputSchema {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new EnsoError('bad-input', 'an output schema is a JSON object')
  }
  const schema = given as Record<string, unknown>
  const text = JSON.stringify(schema)
  if (text.length > SCHEMA_MAX_CHARS) {
    throw new EnsoError('bad-input', `the output schema is longer than ${SCHEMA_MAX_CHARS} characters`)
  }
  const draft = typeof schema['$schema'] === 'string' ? schema['$schema'] : DEFAULT_DRAFT
  const check = checkOf(schema, draft)
  const isObject = schema['type'] === 'object' || (schema['type'] === undefined && 'properties' in schema)
  const says = isObject && Object.keys(schema).every((key) => PASSED_ON.has(key))
  return {
    parameters: parametersOf(schema, isObject),
    fullText: says ? undefined : text,
    answerIn: (args) => (isObject ? args : loose(args)[ANSWER_KEY]),
    problem(answer) {
      if (answer === undefined) return 'there is no answer in it'
      if (check(answer)) return undefined
      const problems = (check.errors ?? []).map(sentenceOf)
      const named = problems.slice(0, PROBLEMS_NAMED).join('; ')
      return problems.length > PROBLEMS_NAMED ? `${named}; and ${problems.length - PROBLEMS_NAMED} more` : named
    },
  }
}
