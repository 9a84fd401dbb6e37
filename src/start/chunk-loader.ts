import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import { withFirstFlags } from '../system/young-generation.js'
import { codeCacheOf, type CodeCache } from './code-cache.js'

type Require = (id: string) => unknown

/**
 * What a chunk is: one function over what its code finds by name. `require` finds another chunk by its name below the
 * folder of all, after `./`, whoever asks. `ensoImport` is `import()`, which a script that V8 took from a cache has not.
 */
type Chunk = (
  exports: unknown,
  require: Require,
  module: { exports: unknown },
  filename: string,
  dirname: string,
  importMetaUrl: string,
  ensoImport: (id: string) => Promise<unknown>,
) => void

export interface ChunkLoaderOptions {
  /** The folder of the chunks; absolute. */
  readonly dist: string
  readonly cache: CodeCache
  /**
   * Chunks that are mostly loaded together lie in one file: its name, and theirs in it. Others are files of their own. A
   * pack below `late` has chunks that are asked for by the first use of what they export.
   */
  readonly packs?: Readonly<Record<string, readonly string[]>>
  /** Loads what is no chunk: Node's own modules, and packages that stay outside of the bundle. */
  readonly nativeRequire: Require
  readonly nativeImport: (id: string) => Promise<unknown>
}

/** The chunks of a built program, each loaded once, when something asks for it. */
export interface ChunkLoader {
  /** What the chunk exports. `name` is its path below `dist`, with `/` whatever the system. */
  load(name: string): unknown
  /** Characters of the chunks that had to be compiled, for want of a cache that fits. */
  readonly compiled: () => number
  /** Was a cache refused? Then V8 is set up otherwise than when it was made. */
  readonly refused: () => boolean
  /** Reads the late packs that nothing has asked for yet: a process goes on when its program is replaced under it. */
  readAhead(): void
  /** The loaded chunks as V8 has them now, over what the cache had; or `under` it, where only what it lacks is added. */
  readonly codeCache: (place?: 'over' | 'under') => CodeCache
}

export function createChunkLoader(options: ChunkLoaderOptions): ChunkLoader {
  const { dist, cache, packs = {}, nativeRequire, nativeImport } = options
  const packOf = new Map(Object.entries(packs).flatMap(([pack, names]) => names.map((name) => [name, pack] as const)))
  const packed = new Map<string, Readonly<Record<string, Chunk>>>()
  /** Read, and not yet asked for. */
  const ahead = new Map<string, string>()
  const modules = new Map<string, { exports: unknown }>()
  const scripts = new Map<string, Script>()
  // The names of chunks stand in a URL as they are.
  const distUrl = pathToFileURL(dist).href
  let compiled = 0
  let refused = false

  // One byte is one character of a chunk, on the disk and in memory.
  const sourceOf = (name: string): string => readFileSync(join(dist, name), 'latin1')

  /** What the script of this name says: a chunk, or the chunks of a pack by name. */
  function run(name: string): unknown {
    const filename = join(dist, name)
    const source = ahead.get(name) ?? sourceOf(name)
    ahead.delete(name)
    const cachedData = cache.get(name)
    const options = { filename, ...(cachedData === undefined ? {} : { cachedData }) }
    const script = withFirstFlags(() => new Script(source, options))
    if (cachedData === undefined) compiled += source.length
    else if (script.cachedDataRejected === true) refused = true
    scripts.set(name, script)
    return script.runInThisContext()
  }

  function chunkNamed(name: string): Chunk {
    const pack = packOf.get(name)
    if (pack === undefined) return run(name) as Chunk
    let chunks = packed.get(pack)
    if (chunks === undefined) packed.set(pack, (chunks = run(pack) as Readonly<Record<string, Chunk>>))
    return chunks[name]!
  }

  const require: Require = (id) =>
    id.startsWith('./') ? load(id.slice(2)) : nativeRequire(id.startsWith('file:') ? fileURLToPath(id) : id)

  function load(name: string): unknown {
    const known = modules.get(name)
    if (known !== undefined) return known.exports
    const module = { exports: {} as unknown }
    modules.set(name, module)
    const filename = join(dist, name)
    try {
      const chunk = chunkNamed(name)
      chunk(module.exports, require, module, filename, dirname(filename), `${distUrl}/${name}`, nativeImport)
    } catch (error) {
      // What failed to load is loaded anew when it is asked for again.
      modules.delete(name)
      throw error
    }
    return module.exports
  }

  return {
    load,
    compiled: () => compiled,
    refused: () => refused,
    readAhead() {
      for (const pack of Object.keys(packs).filter((name) => name.startsWith('late/') && !scripts.has(name))) {
        try {
          ahead.set(pack, sourceOf(pack))
        } catch {
          // Gone already: whoever asks for it is told.
        }
      }
    },
    codeCache(place = 'over') {
      const now = new Map<string, Buffer>()
      const had = new Set(place === 'under' ? cache.names() : [])
      withFirstFlags(() => {
        for (const [name, script] of scripts) if (!had.has(name)) now.set(name, script.createCachedData())
      })
      for (const name of cache.names()) {
        const data = now.has(name) ? undefined : cache.get(name)
        if (data !== undefined) now.set(name, data)
      }
      return codeCacheOf(now)
    },
  }
}
