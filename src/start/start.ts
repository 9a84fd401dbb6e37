import { join } from 'node:path'
import { ensoHome } from '../system/home.js'
import { createChunkLoader } from './chunk-loader.js'
import { readCodeCache } from './code-cache.js'

/** Set when the program is built: the chunk to begin with, and a name for exactly this build. */
declare const ENSO_ENTRY: string
declare const ENSO_BUILD: string
/** Set when the chunks that hot commands load have been put together: the files they are in. */
declare const ENSO_PACKS: Readonly<Record<string, readonly string[]>>

/** Compiling fewer characters than this costs less than keeping what came of it. */
const WORTH_KEEPING = 100_000

/** A process that lives longer than this, in milliseconds, may outlive the files it was started from. */
const READ_AHEAD_MS = 1000

/** The files that may hold what V8 made of the program: beside it, or else the person's own. */
function cacheFiles(dist: string, env: NodeJS.ProcessEnv): string[] {
  const name = `${ENSO_BUILD}-${process.version}-${process.arch}.bin`
  return [join(dist, 'code-cache', name), join(ensoHome(env).root, 'cache', 'code', name)]
}

/**
 * Runs the built program, without compiling what V8 has compiled before: what it made of the program is kept from the
 * build or from the first start on. `ENSO_WARM=1` adds what this run needed, whatever there is, and `ENSO_WARM=new` only
 * the scripts of which there is nothing: what is kept of a script is taken in whole by every run that loads it.
 */
export async function start(): Promise<void> {
  const files = cacheFiles(__dirname, process.env)
  const cache = readCodeCache(files)
  const loader = createChunkLoader({
    dist: __dirname,
    cache,
    packs: ENSO_PACKS,
    nativeRequire: require,
    nativeImport: (id) => import(id),
  })
  setTimeout(() => loader.readAhead(), READ_AHEAD_MS).unref()
  const { run } = loader.load(ENSO_ENTRY) as { run(): Promise<void> }
  await run()
  const warm = process.env['ENSO_WARM']
  if (loader.refused() || (loader.compiled() < WORTH_KEEPING && warm !== '1' && warm !== 'new')) return
  const { keepCodeCache } = await import('./keep-code-cache.js')
  keepCodeCache(files, loader.codeCache(warm === 'new' ? 'under' : 'over'))
}
