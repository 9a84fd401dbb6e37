import type { WebSearchConfig } from '../../../core/web-search.js'
import type { ModelDoor, SearchBackend } from './backend.js'
import { hasNativeSearch, nativeBackend } from './native.js'
import { tavilyBackend } from './tavily.js'

/** Where the services that are not the model's own are asked. */
export interface SearchEndpoints {
  readonly deepseek: string
  readonly tavily: string
}

export const SEARCH_ENDPOINTS: SearchEndpoints = {
  deepseek: 'https://api.deepseek.com/anthropic',
  tavily: 'https://api.tavily.com/search',
}

const DEEPSEEK = { provider: 'deepseek', api: 'anthropic-messages', id: 'deepseek-chat' }

/** What says who may be asked: the configuration, the environment, and the thread's model with what it is reached by. */
export interface SearchChoice {
  readonly config: WebSearchConfig | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly endpoints: SearchEndpoints
}

export interface ChooseBackendsDeps extends SearchChoice {
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
  const { config, env, endpoints } = deps
  const primary = config?.backend === 'deepseek' ? await deepseek(deps) : await own(deps)
  const tavilyKey = env['TAVILY_API_KEY']
  const fallback = tavilyKey ? tavilyBackend(tavilyKey, endpoints.tavily, config?.tavily) : undefined
  return [primary, fallback].filter((backend) => backend !== undefined)
}

/** The thread's model as far as it says whether it can search: nothing is asked for it, no key is fetched. */
export interface KnownModel {
  readonly api: string
  readonly hasCredentials: boolean
}

/** Is there a way to search now? Decides like `chooseBackends`, without fetching a key. */
export function canSearch(
  { config, env }: SearchChoice,
  model: KnownModel | undefined,
  hasKey: (provider: string) => boolean,
): boolean {
  if (env['TAVILY_API_KEY']) return true
  if (config?.backend === 'deepseek') return hasKey('deepseek')
  return model !== undefined && model.hasCredentials && hasNativeSearch(model.api)
}

async function own(deps: ChooseBackendsDeps): Promise<SearchBackend | undefined> {
  const door = await deps.model()
  return door === undefined ? undefined : nativeBackend(door)
}

async function deepseek({ apiKey, endpoints }: ChooseBackendsDeps): Promise<SearchBackend | undefined> {
  const key = await apiKey('deepseek')
  if (!key) return undefined
  return nativeBackend({ ...DEEPSEEK, baseUrl: endpoints.deepseek, apiKey: key, headers: {} })
}
