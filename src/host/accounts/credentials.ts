import type { OAuthLoginCallbacks } from '@mariozechner/pi-ai'
import type { ModelRegistry } from '@mariozechner/pi-coding-agent'
import { EnsoError } from '../../core/index.js'
import type { HostCommandOption, HostCredentials, LoginInteraction } from '../../core/index.js'
import { apiKeyRefusal } from './api-key.js'
import { oauthCallbacks } from './oauth-callbacks.js'

/** Providers whose credentials are no single key: they are set up outside. */
const NO_KEY_LOGIN: ReadonlySet<string> = new Set(['amazon-bedrock', 'google-vertex'])

/** The one provider with an account login that also takes plain keys, and its name without the account's plan. */
const ALSO_BY_KEY = 'anthropic'
const ALSO_BY_KEY_NAME = 'Anthropic'

type AuthType = 'api_key' | 'oauth'

const AUTH_TYPES: ReadonlySet<string> = new Set<AuthType>(['api_key', 'oauth'])

function splitOption(optionId: string): { provider: string; authType: AuthType } | undefined {
  const slash = optionId.lastIndexOf('/')
  const authType = optionId.slice(slash + 1)
  return slash > 0 && AUTH_TYPES.has(authType)
    ? { provider: optionId.slice(0, slash), authType: authType as AuthType }
    : undefined
}

const byLabel = (a: HostCommandOption, b: HostCommandOption): number => a.label.localeCompare(b.label)

/** Credentials over the library's own store: a private file that every process of this person reads. */
export function createCredentials(registry: ModelRegistry): HostCredentials {
  const store = registry.authStorage

  const keyName = (provider: string): string =>
    provider === ALSO_BY_KEY ? ALSO_BY_KEY_NAME : registry.getProviderDisplayName(provider)

  /** What was stored must be there when it is read again: the store keeps its own failures to itself. */
  function stored(provider: string, expected: boolean): void {
    const failures = store.drainErrors()
    store.reload()
    if (failures.length === 0 && store.has(provider) === expected) return
    throw new EnsoError('disk', 'the credentials could not be stored', { cause: failures[0] })
  }

  async function loginWithKey(provider: string, ask: LoginInteraction, signal?: AbortSignal): Promise<string> {
    const name = keyName(provider)
    const key = (await ask.input({ method: 'input', title: `API key for ${name}`, secret: true }, signal))?.trim()
    if (key === undefined) throw new EnsoError('bad-input', 'the login was cancelled')
    const refusal = apiKeyRefusal(key, process.env)
    if (refusal !== undefined) throw new EnsoError('bad-input', refusal)
    store.set(provider, { type: 'api_key', key })
    stored(provider, true)
    return `the API key for ${name} is stored`
  }

  async function loginWithAccount(provider: string, ask: LoginInteraction, signal?: AbortSignal): Promise<string> {
    const flow = store.getOAuthProviders().find(({ id }) => id === provider)
    if (!flow) throw new EnsoError('bad-input', `there is no account login for ${provider}`)
    const callbacks: OAuthLoginCallbacks & { finished(): void } = oauthCallbacks(flow, ask, signal)
    try {
      await store.login(provider, callbacks)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      const code = /cancel/i.test(reason) ? 'bad-input' : 'host-fault'
      throw new EnsoError(code, code === 'bad-input' ? 'the login was cancelled' : `the login failed: ${reason}`, {
        cause,
      })
    } finally {
      callbacks.finished()
    }
    stored(provider, true)
    return `logged in to ${flow.name}`
  }

  return {
    loginOptions() {
      const accounts = store
        .getOAuthProviders()
        .map(({ id, name }) => ({ id: `${id}/oauth`, label: name, detail: 'account' }))
      const byAccount = new Set(store.getOAuthProviders().map(({ id }) => id))
      const keys = [...new Set(registry.getAll().map((model) => model.provider))]
        .filter((id) => id === ALSO_BY_KEY || (!byAccount.has(id) && !NO_KEY_LOGIN.has(id)))
        .map((id) => ({ id: `${id}/api_key`, label: keyName(id), detail: 'API key' }))
      return [...accounts, ...keys].sort(byLabel)
    },
    logoutOptions() {
      store.reload()
      return store
        .list()
        .map((id) => ({
          id,
          label: registry.getProviderDisplayName(id),
          detail: store.get(id)?.type === 'oauth' ? 'account' : 'API key',
        }))
        .sort(byLabel)
    },
    async login(optionId, interaction, signal) {
      const option = splitOption(optionId)
      if (!option || !this.loginOptions().some(({ id }) => id === optionId)) {
        throw new EnsoError('bad-input', `there is no login called ${optionId}`)
      }
      const work = option.authType === 'api_key' ? loginWithKey : loginWithAccount
      const said = await work(option.provider, interaction, signal)
      registry.refresh()
      return said
    },
    async logout(providerId) {
      if (!this.logoutOptions().some(({ id }) => id === providerId)) {
        throw new EnsoError('bad-input', `there are no stored credentials for ${providerId}`)
      }
      const name = registry.getProviderDisplayName(providerId)
      store.logout(providerId)
      stored(providerId, false)
      registry.refresh()
      return `the stored credentials for ${name} are gone; a key in the environment still counts`
    },
  }
}
