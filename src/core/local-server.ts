import { type Static, Type } from '@sinclair/typebox'
import { closed } from './schema.js'

/** The kinds of model servers that are looked for on this machine; each is a provider's name too. */
export const EnsoLocalServerKind = Type.Union([
  Type.Literal('ollama'),
  Type.Literal('lmstudio'),
  Type.Literal('llamacpp'),
  Type.Literal('vllm'),
])
export type EnsoLocalServerKind = Static<typeof EnsoLocalServerKind>

/** A model of a server on this machine that a person agreed to use: what `config.json` remembers. */
export const EnsoLocalServer = closed({
  kind: EnsoLocalServerKind,
  /** Of this machine only: whoever is elsewhere needs an entry in models.json. */
  url: Type.String({
    pattern: '^http://(127\\.0\\.0\\.1|localhost|\\[::1\\]):\\d{1,5}/v1$',
    description: 'http://127.0.0.1:PORT/v1',
  }),
  /** The model's id, as the server has it. */
  model: Type.String({ minLength: 1 }),
  /** Tokens, where the server said it. */
  contextWindow: Type.Optional(Type.Integer({ minimum: 1 })),
})
export type EnsoLocalServer = Static<typeof EnsoLocalServer>

/** A model server that answered on this machine. */
export interface FoundLocalServer {
  readonly kind: EnsoLocalServerKind
  /** As people call it. */
  readonly label: string
  readonly url: string
  /** As the server lists them; at least one. */
  readonly models: readonly { readonly id: string; readonly contextWindow?: number }[]
  /** The user id of whoever runs it, where that can be told and is neither this user nor the machine's own. */
  readonly strangerUid?: number
}

/** What a person can choose: each model of each server. */
export function localChoices(servers: readonly FoundLocalServer[]): readonly EnsoLocalServer[] {
  return servers.flatMap(({ kind, url, models }) =>
    models.map(({ id, contextWindow }) => ({
      kind,
      url,
      model: id,
      ...(contextWindow === undefined ? {} : { contextWindow }),
    })),
  )
}

/** A choice as a model is named: `provider/id`. */
export function localModelName({ kind, model }: EnsoLocalServer): string {
  return `${kind}/${model}`
}

/** What to do about a server that nobody has agreed to yet, for those who can't be asked. */
export function localServersHint(servers: readonly FoundLocalServer[]): string {
  const named = servers.map(({ label, url }) => `${label} at ${new URL(url).host}`).join(', ')
  return `${named} answers on this machine; enso models --local --use agrees to it`
}
