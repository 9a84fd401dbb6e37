import type { JsonSchema } from '../../core/schema-book.js'
import type { CliParts } from '../parts.js'

/** What a schema can be printed of. */
export interface SchemaTopic {
  readonly name: string
  readonly about: string
  make(parts: Pick<CliParts, 'openApi'>): Promise<JsonSchema>
}

async function fromCore(
  title: 'EnsoConfig' | 'EnsoOutputLine' | 'EnsoResultLine' | 'EnsoScript' | 'EnsoUserConfig',
): Promise<JsonSchema> {
  const [core, { schemaDocument }] = await Promise.all([import('../../core/index.js'), import('./document.js')])
  return schemaDocument(title, core[title])
}

/** Every schema there is to print, made from what the program itself checks by. */
export const SCHEMA_TOPICS: readonly SchemaTopic[] = [
  { name: 'lines', about: 'a line that --json writes', make: () => fromCore('EnsoOutputLine') },
  {
    name: 'requests',
    about: 'a line that --json reads',
    async make() {
      const [{ requestLineSchema }, { schemaDocument }] = await Promise.all([
        import('./requests.js'),
        import('./document.js'),
      ])
      return schemaDocument('EnsoRequestLine', requestLineSchema())
    },
  },
  {
    name: 'result',
    about: 'the last line, and what --output-format json prints',
    make: () => fromCore('EnsoResultLine'),
  },
  { name: 'config', about: 'your config.json', make: () => fromCore('EnsoUserConfig') },
  { name: 'workspace', about: "a workspace's enso.config.json", make: () => fromCore('EnsoConfig') },
  { name: 'script', about: 'a file for --script', make: () => fromCore('EnsoScript') },
  {
    name: 'answers',
    about: 'a file for --answers',
    async make() {
      const [{ EnsoAnswersFile }, { schemaDocument }] = await Promise.all([
        import('../run/answers.js'),
        import('./document.js'),
      ])
      return schemaDocument('EnsoAnswersFile', EnsoAnswersFile)
    },
  },
  { name: 'http', about: 'the server, as OpenAPI 3.1', make: (parts) => parts.openApi() },
]
