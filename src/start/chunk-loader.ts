import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import { codeCacheOf, type CodeCache } from './code-cache.js'

type Require = (id: string) => unknown

/**
 * What a chunk's file is: one function over what its code finds by name. `ensoImport` is `import()`, which a script that
 * V8 took from a cache has not.
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
  /** The loaded chunks as V8 has them now, over what the cache had. */
  readonly codeCache: () => CodeCache
}

export function createChunkLoader({ dist, cache, nativeRequire, nativeImport }: ChunkLoaderOptions): ChunkLoader {
  const modules = new Map<string, { exports: unknown }>()
  const scripts = new Map<string, Script>()
  let compiled = 0
  let refused = false

  function compile(name: string, filename: string): Script {
    // One byte is one character of a chunk, on the disk and in memory.
    const source = readFileSync(filename, 'latin1')
    const cachedData = cache.get(name)
    const script = new Script(source, { filename, ...(cachedData === undefined ? {} : { cachedData }) })
    if (cachedData === undefined) compiled += source.length
    else if (script.cachedDataRejected === true) refused = true
    scripts.set(name, script)
    return script
  }

  function load(name: string): unknown {
    const known = modules.get(name)
    if (known !== undefined) return known.exports
    const module = { exports: {} as unknown }
    modules.set(name, module)
    const filename = join(dist, name)
    const folder = posix.dirname(name)
    const require: Require = (id) => {
      if (id.startsWith('.')) return load(posix.join(folder, id))
      return nativeRequire(id.startsWith('file:') ? fileURLToPath(id) : id)
    }
    const run = compile(name, filename).runInThisContext() as Chunk
    try {
      run(module.exports, require, module, filename, join(dist, folder), pathToFileURL(filename).href, nativeImport)
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
    codeCache() {
      const now = new Map<string, Buffer>()
      for (const [name, script] of scripts) now.set(name, script.createCachedData())
      for (const name of cache.names()) {
        const data = now.has(name) ? undefined : cache.get(name)
        if (data !== undefined) now.set(name, data)
      }
      return codeCacheOf(now)
    },
  }
}
