import type { WebSearchConfig } from '../../../core/web-search.js'
import { distinct, field, items, postJson, text, type SearchBackend } from './backend.js'

const MAX_RESULTS = 8

/** The fallback search. Only made where the person put a key for it into the environment. */
export function tavilyBackend(apiKey: string, url: string, config: WebSearchConfig['tavily']): SearchBackend {
  return {
    name: 'tavily',
    search: async (query, signal) => {
      const reply = await postJson(
        url,
        { authorization: `Bearer ${apiKey}` },
        {
          query,
          max_results: MAX_RESULTS,
          include_answer: true,
          ...(config?.includeDomains === undefined ? {} : { include_domains: config.includeDomains }),
          ...(config?.excludeDomains === undefined ? {} : { exclude_domains: config.excludeDomains }),
        },
        signal,
      )
      const results = items(field(reply, 'results'))
      const found = results.map((result) => `${text(field(result, 'title'))}\n${text(field(result, 'content'))}`)
      return {
        text: [text(field(reply, 'answer')), ...found].filter((part) => part.trim() !== '').join('\n\n'),
        sources: distinct(
          results.map((result) => ({ title: text(field(result, 'title')), url: text(field(result, 'url')) })),
        ),
      }
    },
  }
}
