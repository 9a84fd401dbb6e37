// Measures enso serve: starting, many threads, many followers, and what a follow costs over a bare writer of events.
//   npx tsx scripts/bench/serve.ts [--rounds N] [--followers N] [--threads N]        about two minutes
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { inRoot } from '../../test/support/root.js'
import { keepFigures } from './figures.js'
import { manyFollowers, stalledReaders, streamedReply } from './serve/followers.js'
import { manyThreads, starting } from './serve/started.js'
import { createWorld } from './world.js'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    followers: { type: 'string', default: '1000' },
    threads: { type: 'string', default: '200' },
  },
})
const [rounds, followers, threads] = [Number(values.rounds), Number(values.followers), Number(values.threads)]

/** The served feed as one plain file. */
async function bundledFeed(dir: string): Promise<string> {
  const outfile = join(dir, 'served-feed.mjs')
  await build({
    absWorkingDir: inRoot(),
    entryPoints: ['scripts/bench/programs/served-feed.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    banner: { js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url);" },
    logLevel: 'warning',
  })
  return outfile
}

const world = await createWorld()
const ours = await bundledFeed(world.scratch.dir)
await starting(world, rounds)
await manyThreads(world, threads)
await streamedReply(world, rounds)
await manyFollowers(ours, rounds, { events: 2000, burst: 1, readers: 100 })
await manyFollowers(ours, rounds, { events: 8000, burst: 16, readers: 100 })
await manyFollowers(ours, rounds, { events: 300, burst: 1, readers: followers })
await stalledReaders(ours)
await world.close()
keepFigures()
