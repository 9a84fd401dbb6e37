import type { ExtensionContext, ExtensionFactory } from '@mariozechner/pi-coding-agent'
import { WEB_SEARCH_TOOL_NAME } from '../../../core/web-search.js'
import { chooseBackends } from './choose-backends.js'
import { modelDoor, type WebSearchToolDeps } from './tool.js'

/** Offers the search to the model only while there is a way to search: it depends on the model, which can change. */
export function offerWebSearch(deps: Pick<WebSearchToolDeps, 'config' | 'env'>): ExtensionFactory {
  return (pi) => {
    const offer = async (context: ExtensionContext): Promise<void> => {
      const backends = await chooseBackends({
        ...deps,
        model: () => modelDoor(context),
        apiKey: (provider) => context.modelRegistry.getApiKeyForProvider(provider),
      })
      const active = pi.getActiveTools()
      const offered = active.includes(WEB_SEARCH_TOOL_NAME)
      if (backends.length > 0 && !offered) pi.setActiveTools([...active, WEB_SEARCH_TOOL_NAME])
      if (backends.length === 0 && offered) pi.setActiveTools(active.filter((name) => name !== WEB_SEARCH_TOOL_NAME))
    }
    pi.on('session_start', (_event, context) => offer(context))
    pi.on('model_select', (_event, context) => offer(context))
  }
}
