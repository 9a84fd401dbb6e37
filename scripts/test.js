// Runs the tests: builds dist/, turns src and test into JavaScript once, lists the test files itself and fails when
// fewer tests ran than are known to exist (node 20 finds no .ts tests by itself and exits 0).
//   node scripts/test.js [PATH-PREFIX…]     e.g. `node scripts/test.js test/core test/host`
import { spawn } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { buildPage } from './build-page.js'
import { MINIMUM_TESTS } from './test-floor.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = join(root, `.test-build/${process.pid}`)
const prefixes = process.argv.slice(2)

/** @param {string} dir @returns {string[]} */
function filesUnder(dir) {
  return readdirSync(join(root, dir), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

const sources = [...filesUnder('src'), ...filesUnder('test'), ...filesUnder('scripts')].filter(
  (file) => file.endsWith('.ts') && !file.startsWith('test/fixtures/'),
)
const tests = sources.filter(
  (file) => file.endsWith('.test.ts') && (prefixes.length === 0 || prefixes.some((prefix) => file.startsWith(prefix))),
)
if (tests.length === 0) {
  console.error(`no test files under ${prefixes.join(' ') || 'test'}`)
  process.exit(1)
}

// All the tests run against what people get; some of them, against the same chunks not yet put together.
if (prefixes.length === 0) await import('./warm.js')
else if (prefixes.some((prefix) => prefix.startsWith('test/e2e'))) await import('./build.js')
else if (prefixes.some((prefix) => /^test\/(?:page|server)/.test(prefix))) await buildPage()
await build({
  absWorkingDir: root,
  entryPoints: sources,
  outdir: out,
  outbase: '.',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  sourcemap: 'inline',
  logLevel: 'warning',
})

const child = spawn(
  process.execPath,
  [
    '--enable-source-maps',
    '--test',
    `--test-concurrency=${Math.max(2, availableParallelism() - 1)}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    ...tests.map((file) => join(out, file.replace(/\.ts$/, '.js'))),
  ],
  { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ENSO_TEST_ROOT: root } },
)
let tail = ''
child.stdout.on('data', (/** @type {Buffer} */ chunk) => {
  process.stdout.write(chunk)
  tail = (tail + chunk.toString('latin1')).slice(-200_000)
})
const code = await new Promise((resolve) => child.on('close', resolve))
rmSync(out, { recursive: true, force: true })

const ran = Number(/tests (\d+)(?![\s\S]*tests \d+)/.exec(tail)?.[1] ?? 0)
if (prefixes.length === 0 && ran < MINIMUM_TESTS) {
  console.error(`only ${ran} tests ran; at least ${MINIMUM_TESTS} exist`)
  process.exit(1)
}
process.exit(code ?? 1)
