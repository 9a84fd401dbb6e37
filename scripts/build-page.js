// Builds dist/page/: the browser page. Every file but index.html is named after its content, so a browser may keep it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const OUT = 'dist/page'

/** A value that a file of the core makes by calls when it is loaded: its name, and all of its lines. */
const MADE_AT_ONCE =
  /^((?:export )?const \w+(?:: [^=\n]+)?) = ((?=[^\n]*(?:\(|\{|\[))(?!\([^\n]*=>)[\s\S]*?)(?=\n(?![\s)}\]]))/gm

/**
 * Only what the page uses of `core` may reach it. The schemas are made by calls at the top of a file, which a bundler
 * keeps unless it is told that they do nothing but make a value.
 * @returns {import('esbuild').Plugin}
 */
function leanCore() {
  return {
    name: 'lean-core',
    setup(build) {
      build.onResolve(
        { filter: /core\/|^@sinclair\/typebox|^@logtape\/|^\.\// },
        async ({ path, pluginData, ...args }) => {
          if (pluginData === 'resolved') return undefined
          const found = await build.resolve(path, { ...args, pluginData: 'resolved' })
          const isCore =
            found.path.startsWith(join(root, 'src/core/')) || /@sinclair\/typebox|@logtape\//.test(found.path)
          return isCore ? { ...found, sideEffects: false } : found
        },
      )
      build.onLoad({ filter: /src\/core\/[^/]+\.ts$/ }, ({ path }) => ({
        contents: readFileSync(path, 'utf8').replace(
          MADE_AT_ONCE,
          (_all, /** @type {string} */ name, /** @type {string} */ value) =>
            `${name} = /* @__PURE__ */ (() => (${value}))()`,
        ),
        loader: 'ts',
      }))
    },
  }
}

/**
 * Of marked only the reader: what makes markup is not used, and stands behind it in the same file.
 * @returns {import('esbuild').Plugin}
 */
function leanMarked() {
  return {
    name: 'lean-marked',
    setup(build) {
      build.onLoad({ filter: /marked\/lib\/marked\.esm\.js$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8')
        const [lexer, renderer] = ['Lexer', 'Renderer'].map(
          (name) => new RegExp(`[{,](\\w+) as ${name}[,}]`).exec(text)?.[1],
        )
        const end = text.indexOf(`var ${renderer}=class`)
        if (lexer === undefined || end === -1) throw new Error('marked changed: its Renderer is not where it was')
        return { contents: `${text.slice(0, end)};export{${lexer} as Lexer}`, loader: 'js' }
      })
    },
  }
}

/**
 * Builds the page.
 * @returns {Promise<{ files: string[], firstLoad: string[], metafile: import('esbuild').Metafile }>} what was made, and
 *   what a browser loads before anything is asked for, relative to the project's root
 */
export async function buildPage() {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { main: 'src/page/main.tsx', page: 'src/page/styles/page.css' },
    outdir: OUT,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    metafile: true,
    legalComments: 'none',
    plugins: [leanCore(), leanMarked()],
    tsconfig: 'tsconfig.page.json',
    logLevel: 'warning',
  })
  refuseCompiler(metafile)
  const { outputs } = metafile
  const entryOf = (/** @type {string} */ source) => {
    const found = Object.entries(outputs).find(([, output]) => output.entryPoint === source)
    if (found === undefined) throw new Error(`the page's build made nothing of ${source}`)
    return found[0]
  }
  const [script, style] = [entryOf('src/page/main.tsx'), entryOf('src/page/styles/page.css')]
  const html = readFileSync(join(root, 'src/page/index.html'), 'utf8')
    .replace('main.js', basename(script))
    .replace('page.css', basename(style))
  const index = join(OUT, 'index.html')
  mkdirSync(join(root, OUT), { recursive: true })
  writeFileSync(join(root, index), html)
  const files = [...Object.keys(outputs), index]
  return { files, firstLoad: [index, style, ...eager(script, outputs)], metafile }
}

/** A schema compiler makes code at run time, which the page's content policy forbids. @param {import('esbuild').Metafile} metafile */
function refuseCompiler({ outputs }) {
  for (const { inputs } of Object.values(outputs)) {
    const wrong = Object.entries(inputs).find(
      ([file, { bytesInOutput }]) => bytesInOutput > 0 && /node_modules\/(@sinclair|@logtape)\//.test(file),
    )
    if (wrong !== undefined) throw new Error(`the page must not contain ${wrong[0]}`)
  }
}

/**
 * A script and what it imports at once.
 * @param {string} script @param {import('esbuild').Metafile['outputs']} outputs
 */
function eager(script, outputs, seen = new Set([script])) {
  for (const { kind, path } of outputs[script]?.imports ?? []) {
    if (kind !== 'import-statement' || seen.has(path)) continue
    seen.add(path)
    eager(path, outputs, seen)
  }
  return [...seen]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { gzipSync } = await import('node:zlib')
  const { files, firstLoad } = await buildPage()
  for (const file of files) {
    const size = gzipSync(readFileSync(join(root, file)), { level: 9 }).length
    console.log(`${firstLoad.includes(file) ? 'first' : 'later'} ${String(size).padStart(7)} ${file}`)
  }
  const total = firstLoad.reduce((sum, file) => sum + gzipSync(readFileSync(join(root, file)), { level: 9 }).length, 0)
  console.log(`first load ${total} bytes gzipped`)
}
