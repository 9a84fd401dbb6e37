import type { WebSearchConfig } from '../../../core/web-search.js'
import type { ModelDoor, SearchBackend } from './backend.js'
import { nativeBackend } from './native.js'
import { tavilyBackend } from './tavily.js'

const DEEPSEEK = { provider: 'deepseek', api: 'anthropic-messages', id: 'deepseek-chat' }

export interface ChooseBackendsDeps {
  readonly config: WebSearchConfig | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** The thread's model as it is now, when it has one that can be asked. */
  readonly model: () => Promise<ModelDoor | undefined>
  /** A provider's key as the person stored or exported it. */
  readonly apiKey: (provider: string) => Promise<string | undefined>
}

/**
 * Who is asked, in order: the backend that the configuration pins, else the thread's own model where its wire can
 * search; then the fallback, where it has a key. Nobody is billed who was not named by one of these.
 */
export async function chooseBackends(deps: ChooseBackendsDeps): Promise<SearchBackend[]> {
  const primary = deps.config?.backend === 'deepseek' ? await deepseek(deps) : await own(deps)
  const tavilyKey = deps.env['TAVILY_API_KEY']
  const url = deps.env['ENSO_TAVILY_URL'] || 'https://api.tavily.com/search'
  const fallback = tavilyKey ? tavilyBackend(tavilyKey, url, deps.config?.tavily) : undefined
  return [primary, fallback].filter((backend) => backend !== undefined)
}

async function own(deps: ChooseBackendsDeps): Promise<SearchBackend | undefined> {
  const door = await deps.model()
  return door === undefined ? undefined : nativeBackend(door)
}

async function deepseek(deps: ChooseBackendsDeps): Promise<SearchBackend | undefined> {
  const apiKey = await deps.apiKey('deepseek')
  if (!apiKey) return undefined
  const baseUrl = deps.env['ENSO_DEEPSEEK_URL'] || 'https://api.deepseek.com/anthropic'
  return nativeBackend({ ...DEEPSEEK, baseUrl, apiKey, headers: {} })
}
