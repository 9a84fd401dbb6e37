import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ListedModel } from '../../core/index.js'
import type { EnsoHome } from '../../system/home.js'
import { writePrivateFile } from '../../system/private-files.js'

/** Where the names of usable models are kept between listings: to know them the agent library would have to be loaded. */
function cacheFile(home: Pick<EnsoHome, 'root'>): string {
  return join(home.root, 'cache', 'models.json')
}

function readJsonFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown
  } catch {
    return undefined
  }
}

/** Models that could be meant: those that could run when they were listed last, and those of models.json. */
export function knownModels(home: Pick<EnsoHome, 'root' | 'agentDir'>): string[] {
  const cached = readJsonFile(cacheFile(home))
  const usable = Array.isArray(cached) ? cached.filter((name): name is string => typeof name === 'string') : []
  const { providers } = (readJsonFile(join(home.agentDir, 'models.json')) ?? {}) as {
    providers?: Readonly<Record<string, { readonly models?: readonly { readonly id?: unknown }[] }>>
  }
  const own = Object.entries(providers ?? {}).flatMap(([provider, { models }]) =>
    (Array.isArray(models) ? models : []).flatMap(({ id }: { id?: unknown }) =>
      typeof id === 'string' ? [`${provider}/${id}`] : [],
    ),
  )
  return [...new Set([...own, ...usable])]
}

/** Keeps the names of the models that could run, for completion. What can't be kept is no fault: they are listed anew. */
export function rememberModels(home: Pick<EnsoHome, 'root'>, models: readonly ListedModel[]): void {
  const names = models.filter(({ available }) => available).map(({ provider, id }) => `${provider}/${id}`)
  const text = `${JSON.stringify(names)}\n`
  try {
    if (JSON.stringify(readJsonFile(cacheFile(home))) !== JSON.stringify(names)) writePrivateFile(cacheFile(home), text)
  } catch {
    // A home that can't be written is told of by whoever needs it.
  }
}
