import type { ModelRegistry } from '@mariozechner/pi-coding-agent'
import type { EnsoScript } from '../../core/index.js'
import { createScriptPlayer } from './script-player.js'
import { playTurn } from './script-stream.js'

/** The provider's name, so that a script's model is `script/<name>`. */
export const SCRIPT_PROVIDER = 'script'

const SCRIPT_API = 'enso-script'

/** A script as a model provider. */
export interface ScriptProvider {
  /** The reference to choose it by: `script/<name>`. */
  readonly model: string
  /** Adds the provider to a registry. It outlives the registry's refresh. */
  readonly register: (registry: Pick<ModelRegistry, 'registerProvider'>) => void
}

/**
 * A provider that plays a script instead of asking a model: each thread's requests get the script's turns in order.
 *
 * It reaches no network and needs no key. When the script is over, a request fails and says so.
 */
export function createScriptProvider(script: EnsoScript): ScriptProvider {
  const name = script.name ?? 'script'
  const player = createScriptPlayer(script)
  return {
    model: `${SCRIPT_PROVIDER}/${name}`,
    register: (registry) =>
      registry.registerProvider(SCRIPT_PROVIDER, {
        api: SCRIPT_API,
        streamSimple: (model, context, options) => playTurn(player, model, context, options ?? {}),
        // The registry wants both; nothing is ever sent.
        baseUrl: 'http://127.0.0.1:0',
        apiKey: 'enso-script-needs-no-key',
        models: [
          {
            id: name,
            name: `Script ${name}`,
            reasoning: true,
            input: ['text', 'image'],
            cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
            contextWindow: script.contextWindow ?? 128_000,
            maxTokens: 16_384,
          },
        ],
      }),
  }
}
