import { ENSO_PROJECT_HEADER, ENSO_REFUSAL_CODES, EnsoRefusal, type EnsoRefusalCode } from '../../core/index.js'
import { createSchemaBook, type JsonSchema, type SchemaBook } from '../../core/schema-book.js'
import type { ServerRoute } from '../route.js'

/** What the guards refuse before any route is asked. */
const GUARD_REFUSALS: readonly EnsoRefusalCode[] = ['malformed', 'unauthorized', 'forbidden-origin']
const BODY_REFUSALS: readonly EnsoRefusalCode[] = ['too-large', 'unsupported-media-type']

/** The routes as an OpenAPI 3.1 document: what is served, in which shapes, refused how. */
export function openApiDocument(routes: readonly ServerRoute[], version: string): Record<string, unknown> {
  const book = createSchemaBook('#/components/schemas')
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, book) }
  }
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: { title: 'enso', version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: book.schemas(),
    },
  }
}

function operationOf(route: ServerRoute, book: SchemaBook): Record<string, unknown> {
  const { body, bodyLimit } = route
  const limit = `At most ${bodyLimit} bytes.`
  return {
    operationId: route.name,
    summary: route.summary,
    ...(route.access === 'open' ? { security: [] } : {}),
    parameters: parametersOf(route, book),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, description: limit, content: json(book.schema(body)) } }),
    responses: { ...successes(route, book), ...refusals(route, book) },
  }
}

function parametersOf({ path, query, takesProject }: ServerRoute, book: SchemaBook): unknown[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const inQuery = Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: query?.required?.includes(name) ?? false,
    schema: book.schema(schema),
  }))
  const project = {
    name: ENSO_PROJECT_HEADER,
    in: 'header',
    required: false,
    description: 'The project of a thread that is new; passed over for one that is stored.',
    schema: { type: 'string' },
  }
  return [...inPath, ...inQuery, ...(takesProject === true ? [project] : [])]
}

function successes(route: ServerRoute, book: SchemaBook): Record<string, unknown> {
  const entries = route.success.map((status) => [String(status), success(route, status, book)] as const)
  return Object.fromEntries(entries)
}

function success({ result, events }: ServerRoute, status: number, book: SchemaBook): Record<string, unknown> {
  if (result === null || status === 204) return { description: status === 204 ? 'Done.' : 'Begun.' }
  if (result === 'text') return { description: 'A text.', content: { 'text/*': { schema: { type: 'string' } } } }
  const schema = book.schema(result)
  if (events !== true) return { description: status === 202 ? 'Taken.' : 'The answer.', content: json(schema) }
  const description = 'Events, until either side ends them. The data of each is one JSON object of the schema.'
  return { description, content: { 'text/event-stream': { schema } } }
}

function refusals(route: ServerRoute, book: SchemaBook): Record<string, unknown> {
  const codes = new Set<EnsoRefusalCode>([
    ...(route.access === 'token' ? GUARD_REFUSALS : (['malformed', 'forbidden-origin'] as const)),
    ...(route.method === 'POST' ? BODY_REFUSALS : []),
    ...route.refusals,
  ])
  const byStatus = new Map<number, EnsoRefusalCode[]>()
  for (const code of codes) {
    const status = ENSO_REFUSAL_CODES[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const own = book.schema(EnsoRefusal)
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, said]) => {
        const { refusalBody } = route
        const isOwnShape = status === ENSO_REFUSAL_CODES.refused && refusalBody !== undefined
        const schema = isOwnShape ? { anyOf: [book.schema(refusalBody), own] } : own
        return [String(status), { description: `Refused: ${said.join(', ')}.`, content: json(schema) }]
      }),
  )
}

function json(schema: JsonSchema): Record<string, unknown> {
  return { 'application/json': { schema } }
}
