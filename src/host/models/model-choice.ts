import type { Api, Model } from '@mariozechner/pi-ai'
import { getSupportedThinkingLevels } from '@mariozechner/pi-ai'
import type { ModelRegistry } from '@mariozechner/pi-coding-agent'
import { EnsoError } from '../../core/index.js'
import type { EnsoModelChoice, EnsoModelState, ListedModel } from '../../core/index.js'

export type AnyModel = Model<Api>
export type ThinkingLevel = ReturnType<typeof getSupportedThinkingLevels>[number]

const THINKING_LEVELS: ReadonlySet<string> = new Set(['off', 'minimal', 'low', 'medium', 'high', 'xhigh'])
const SUGGESTIONS = 5

/** What to do when there is no model that could run. */
export const NO_MODEL_HINT =
  'Set a provider key in the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY, …), run `enso login`, or describe your ' +
  'own endpoint in models.json; `enso demo` needs neither a model nor a key.'

/** A model that was asked for by name, with the thinking level that was asked for beside it. */
export interface ChosenModel {
  readonly model: AnyModel
  readonly thinking: string | undefined
}

/** The model the library stands in with when it has none; it can't run. */
export function isPlaceholder(model: AnyModel | undefined): boolean {
  return model === undefined || (model.provider === 'unknown' && model.id === 'unknown')
}

/** A model as `provider/id`. */
export function modelName(model: { provider: string; id: string }): string {
  return `${model.provider}/${model.id}`
}

export function choiceOf(model: AnyModel): EnsoModelChoice {
  return { provider: model.provider, id: model.id, name: model.name }
}

/** The state a session shows: no model at all is `null`. */
export function modelStateOf(session: {
  model: AnyModel | undefined
  thinkingLevel: string
  getAvailableThinkingLevels(): string[]
}): EnsoModelState {
  const { model } = session
  if (model === undefined || isPlaceholder(model)) {
    return { model: null, thinkingLevel: 'off', availableThinkingLevels: ['off'] }
  }
  return {
    model: choiceOf(model),
    thinkingLevel: session.thinkingLevel,
    availableThinkingLevels: [...session.getAvailableThinkingLevels()],
  }
}

/** Every model of the registry, and whether its provider has credentials. */
export function listModels(registry: ModelRegistry): ListedModel[] {
  return registry.getAll().map((model) => ({
    ...choiceOf(model),
    contextWindow: model.contextWindow,
    available: registry.hasConfiguredAuth(model),
  }))
}

/** Edits between two words, up to `most`. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const change = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(change, previous[column]! + 1, current[column - 1]! + 1))
    }
    previous = current
  }
  return previous[b.length]!
}

/** How far a model is from what was typed; what contains it is near. */
function farness(typed: string, model: AnyModel): number {
  const name = modelName(model).toLowerCase()
  const wanted = typed.toLowerCase()
  const near = Math.min(distance(wanted, name), distance(wanted, model.id.toLowerCase()))
  return name.includes(wanted) ? Math.min(near, 1) : near
}

function suggestions(registry: ModelRegistry, typed: string): string {
  const available = registry.getAvailable()
  const among = available.length > 0 ? available : registry.getAll()
  const ranked = among
    .map((model) => ({ model, far: farness(typed, model) }))
    .sort((a, b) => a.far - b.far)
    .slice(0, SUGGESTIONS)
  return ranked.length === 0 ? NO_MODEL_HINT : `Near it: ${ranked.map(({ model }) => modelName(model)).join(', ')}`
}

function findByName(registry: ModelRegistry, name: string): AnyModel | AnyModel[] | undefined {
  const slash = name.indexOf('/')
  if (slash > 0) {
    const found = registry.find(name.slice(0, slash), name.slice(slash + 1))
    if (found) return found
  }
  const same = registry.getAll().filter((model) => model.id === name)
  if (same.length <= 1) return same[0]
  const available = same.filter((model) => registry.hasConfiguredAuth(model))
  return available.length === 1 ? available[0] : same
}

/** Splits `name:level`; an id may itself contain a colon, so the whole is tried first. */
function splitLevel(typed: string): { name: string; thinking: string } | undefined {
  const colon = typed.lastIndexOf(':')
  const thinking = typed.slice(colon + 1)
  return colon > 0 && THINKING_LEVELS.has(thinking) ? { name: typed.slice(0, colon), thinking } : undefined
}

/**
 * The model a person named: `provider/id`, or an id that only one model has, either with `:thinking`.
 * @throws EnsoError `unknown-model` with the nearest names, `no-model` when its provider has no credentials
 */
export function chooseModel(registry: ModelRegistry, typed: string): ChosenModel {
  const split = splitLevel(typed)
  let thinking: string | undefined
  let found = findByName(registry, typed)
  if (found === undefined && split) {
    found = findByName(registry, split.name)
    thinking = split.thinking
  }
  if (found === undefined) {
    const hint = suggestions(registry, split?.name ?? typed)
    throw new EnsoError('unknown-model', `there is no model called ${typed}`, { hint })
  }
  if (Array.isArray(found)) {
    const names = found.map(modelName).slice(0, SUGGESTIONS).join(', ')
    throw new EnsoError('unknown-model', `several providers have a model called ${typed}`, {
      hint: `Say one: ${names}`,
    })
  }
  requireCredentials(registry, found)
  return { model: found, thinking }
}

/** @throws EnsoError `no-model` when no request with this model could be made */
export function requireCredentials(registry: ModelRegistry, model: AnyModel | undefined): void {
  if (model === undefined || isPlaceholder(model)) {
    throw new EnsoError('no-model', 'there is no model with credentials', { hint: NO_MODEL_HINT })
  }
  if (registry.hasConfiguredAuth(model)) return
  const who = registry.getProviderDisplayName(model.provider)
  throw new EnsoError('no-model', `there are no credentials for ${who}, which ${modelName(model)} needs`, {
    hint: NO_MODEL_HINT,
  })
}

/**
 * The level, when this model offers it. The library would quietly take the nearest one.
 * @throws EnsoError `bad-input` naming the levels there are
 */
export function requireThinkingLevel(model: AnyModel, level: string): ThinkingLevel {
  const levels = getSupportedThinkingLevels(model)
  const found = levels.find((offered) => offered === level)
  if (found !== undefined) return found
  throw new EnsoError('bad-input', `${modelName(model)} has no thinking level ${level}`, {
    hint: `It offers: ${levels.join(', ')}`,
  })
}
