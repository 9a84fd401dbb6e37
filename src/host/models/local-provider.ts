import type { ModelRegistry } from '@mariozechner/pi-coding-agent'
import type { EnsoLocalServer } from '../../core/index.js'

/** Of a model whose server says nothing of it, in tokens: small, since a server cuts what is over its own without a word. */
const USUAL_WINDOW = 32_768
const MAX_OUTPUT = 8192

/** Makes an agreed server's model one that threads can use. An entry of models.json under the same name is not touched. */
export function registerLocalServer(
  registry: Pick<ModelRegistry, 'registerProvider' | 'find' | 'getAll'>,
  { kind, url, model, contextWindow = USUAL_WINDOW }: EnsoLocalServer,
): void {
  if (registry.getAll().some(({ provider }) => provider === kind)) return
  registry.registerProvider(kind, {
    api: 'openai-completions',
    baseUrl: url,
    // These servers take any key, and the library none at all.
    apiKey: 'enso-local-server-needs-no-key',
    models: [
      {
        id: model,
        name: model,
        reasoning: false,
        input: ['text'],
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        contextWindow,
        maxTokens: Math.min(MAX_OUTPUT, contextWindow),
        compat: { supportsDeveloperRole: false, supportsReasoningEffort: false },
      },
    ],
  })
}
