import type { ExtensionContext, ExtensionFactory } from '@mariozechner/pi-coding-agent'
import { WEB_SEARCH_TOOL_NAME } from '../../../core/web-search.js'
import { canSearch, type SearchChoice } from './choose-backends.js'

/** Offers the search to the model only while there is a way to search: it depends on the model, which can change. */
export function offerWebSearch(choice: SearchChoice): ExtensionFactory {
  return (pi) => {
    const offer = ({ model, modelRegistry }: ExtensionContext): void => {
      const known = model && { api: model.api, hasCredentials: modelRegistry.hasConfiguredAuth(model) }
      const hasKey = (provider: string): boolean => modelRegistry.getProviderAuthStatus(provider).configured
      const can = canSearch(choice, known, hasKey)
      const active = pi.getActiveTools()
      const offered = active.includes(WEB_SEARCH_TOOL_NAME)
      if (can && !offered) pi.setActiveTools([...active, WEB_SEARCH_TOOL_NAME])
      if (!can && offered) pi.setActiveTools(active.filter((name) => name !== WEB_SEARCH_TOOL_NAME))
    }
    pi.on('session_start', (_event, context) => offer(context))
    pi.on('model_select', (_event, context) => offer(context))
    // Who logs in has a way to search from the next prompt on.
    pi.on('before_agent_start', (_event, context) => offer(context))
  }
}
