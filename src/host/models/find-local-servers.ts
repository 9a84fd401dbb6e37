import { get } from 'node:http'
import type { EnsoLocalServerKind, FoundLocalServer } from '../../core/index.js'
import { loose } from '../observe/message-values.js'

/** The longest all of the looking takes, in milliseconds. */
export const LOOK_MS = 200
const ANSWER_MAX_BYTES = 256 * 1024
const MODELS_MAX = 50

/** Where a kind of server listens unless it was told otherwise. */
export interface LocalPlace {
  readonly kind: EnsoLocalServerKind
  readonly port: number
}

const LABELS: Readonly<Record<EnsoLocalServerKind, string>> = {
  ollama: 'Ollama',
  lmstudio: 'LM Studio',
  llamacpp: 'llama.cpp',
  vllm: 'vLLM',
}

const USUAL_PLACES: readonly LocalPlace[] = [
  { kind: 'ollama', port: 11434 },
  { kind: 'lmstudio', port: 1234 },
  { kind: 'llamacpp', port: 8080 },
  { kind: 'vllm', port: 8000 },
]

/**
 * Where servers are looked for: the usual ports, unless `ENSO_LOCAL_SERVERS` says `off` or other ones
 * (`ollama=11500,vllm=8001`). What can't be read in it is passed over.
 */
export function localPlaces(env: Readonly<Record<string, string | undefined>>): readonly LocalPlace[] {
  const said = env['ENSO_LOCAL_SERVERS']?.trim()
  if (!said) return USUAL_PLACES
  return said.split(',').flatMap((part) => {
    const [kind = '', port = ''] = part.trim().split('=')
    const known = USUAL_PLACES.find((place) => place.kind === kind)
    return known !== undefined && /^\d{1,5}$/.test(port) ? [{ kind: known.kind, port: Number(port) }] : []
  })
}

/** The body of an answer with status 200, or nothing. Goes to this machine directly, whatever proxies there are. */
function read(port: number, path: string, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path, signal, agent: false }, (response) => {
      let text = ''
      const give = (value: string | undefined): void => {
        resolve(value)
        response.destroy()
      }
      if (response.statusCode !== 200) return give(undefined)
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > ANSWER_MAX_BYTES) give(undefined)
      })
      response.on('end', () => give(text))
      response.on('error', () => give(undefined))
    })
    request.on('error', () => resolve(undefined))
  })
}

const positive = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined

/** The window as vLLM and llama.cpp say it beside a model; the others don't. */
function windowOf(model: unknown): number | undefined {
  const { max_model_len: length, meta } = loose(model)
  return positive(length) ?? positive(loose(meta)['n_ctx']) ?? positive(loose(meta)['n_ctx_train'])
}

/** The models in an answer to `/v1/models`; none when it is no such answer. Models that only embed can't be talked to. */
export function modelsIn(text: string): FoundLocalServer['models'] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return []
  }
  const { data } = loose(value)
  if (!Array.isArray(data)) return []
  return data
    .flatMap((model: unknown) => {
      const { id } = loose(model)
      if (typeof id !== 'string' || !/^[\w./][\w.:/@+-]{0,199}$/.test(id) || /embed/i.test(id)) return []
      const contextWindow = windowOf(model)
      return [contextWindow === undefined ? { id } : { id, contextWindow }]
    })
    .slice(0, MODELS_MAX)
}

/** What the looking needs of the machine. */
export interface LookDeps {
  /** The user that listens on a port, where that can be told. */
  readonly portOwner: (port: number) => number | undefined
  /** This process's user; `undefined` where there are none. */
  readonly uid: number | undefined
}

/** Looks for model servers on this machine, all at once and for a moment only. */
export async function findLocalServers(places: readonly LocalPlace[], deps: LookDeps): Promise<FoundLocalServer[]> {
  const signal = AbortSignal.timeout(LOOK_MS)
  const found = await Promise.all(
    places.map(async ({ kind, port }): Promise<FoundLocalServer[]> => {
      const text = await read(port, '/v1/models', signal)
      const models = text === undefined ? [] : modelsIn(text)
      if (models.length === 0) return []
      const owner = deps.portOwner(port)
      const stranger = owner !== undefined && deps.uid !== undefined && owner !== deps.uid && owner !== 0
      const url = `http://127.0.0.1:${port}/v1`
      return [{ kind, label: LABELS[kind], url, models, ...(stranger ? { strangerUid: owner } : {}) }]
    }),
  )
  return found.flat()
}
