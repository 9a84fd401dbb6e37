import { type Static, Type } from '@sinclair/typebox'
import { closed } from './schema.js'

/** Name of the tool that searches the web. */
export const WEB_SEARCH_TOOL_NAME = 'web_search'

/** Milliseconds for one whole search, its fallback included. */
export const WEB_SEARCH_TIMEOUT_MS = 60_000

/**
 * The optional `webSearch` section of `enso.config.json`. `backend` is the only way a search service other than the
 * current model's is billed; the fallback's key comes from the environment, never from this file.
 */
export const WebSearchConfig = closed({
  backend: Type.Optional(Type.Literal('deepseek')),
  tavily: Type.Optional(
    closed({
      includeDomains: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
      excludeDomains: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    }),
  ),
})
export type WebSearchConfig = Static<typeof WebSearchConfig>

/** Parameters of `web_search`: the query and nothing else. */
export const WebSearchToolParameters = closed({
  query: Type.String({ minLength: 1, description: 'What to search for, in plain words.' }),
})
export type WebSearchToolParameters = Static<typeof WebSearchToolParameters>
