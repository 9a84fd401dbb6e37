// Turns the split bundle into scripts that src/start runs: V8 keeps what it has compiled of a script, and of an ES
// module it can't.
import { createHash } from 'node:crypto'
import { basename, dirname, join, relative } from 'node:path'
import { transform } from 'esbuild'
import { whenUsed } from './when-used.js'

/** What the code of a chunk finds by name, in the order of `Chunk` in src/start/chunk-loader.ts. */
const GIVEN = 'exports,require,module,__filename,__dirname,importMetaUrl,ensoImport'

// An import() of a CommonJS package finds its exports by name, as it does in Node.
const NAMED = `{const{default:d}=module.exports;for(const k of Object.keys(d))if(!(k in module.exports))Object.defineProperty(module.exports,k,{enumerable:true,get:()=>d[k]})}`

const EXPORTS = '__defProp(stdin_exports, "__esModule", { value: true }); module.exports = stdin_exports;'

const MAPPED = /** @type {const} */ ({ sourcemap: 'external' })

const PURE_PACKAGES = `
  @logtape/logtape @mariozechner/pi-ai/dist/models.generated.js @mariozechner/pi-tui @sinclair/typebox balanced-match
  brace-expansion cc-safety-net glob graceful-fs hosted-git-info lru-cache minimatch minipass path-scurry proper-lockfile
  retry signal-exit typebox unbash yaml
`

/** Files whose evaluation does nothing that anybody else can see: they are evaluated by the first use of what they export. */
const PURE = new RegExp(
  `(?:^|/)(?:src/core|src/host/extensions/guards|node_modules/(?:${PURE_PACKAGES.trim().split(/\s+/).join('|')}))(?:/|$)`,
)

/**
 * @typedef {object} Chunk
 * @property {string} name its path below the output folder
 * @property {string} code
 * @property {boolean} [isLate] it is evaluated by its first use
 * @property {readonly string[]} [maps] of a build with source maps: from the code to its text before it was made small,
 * and from that, line by line, to the modules
 */

/**
 * @param {import('esbuild').BuildResult<{ write: false, metafile: true }>} built ES modules
 * @param {string} root what the paths of its account are relative to
 * @param {string} outdir absolute
 * @returns {Promise<readonly Chunk[]>}
 */
export function chunksOf({ outputFiles, metafile }, root, outdir) {
  const isPure = (/** @type {string} */ file) => {
    const inputs = Object.keys(metafile.outputs[relative(root, file)]?.inputs ?? {})
    return inputs.length > 0 && inputs.every((input) => PURE.test(input))
  }
  const nameOf = (/** @type {string} */ path) => relative(outdir, path).replace(/\.js$/, '.cjs')
  const maps = new Map(outputFiles.filter(({ path }) => path.endsWith('.map')).map(({ path, text }) => [path, text]))
  const modules = outputFiles.filter(({ path }) => !maps.has(path))
  const common = /** @type {const} */ ({ platform: 'node', target: 'node20.19', ...(maps.size > 0 ? MAPPED : {}) })
  return Promise.all(
    modules.map(async ({ path, text }) => {
      const { entryPoint } = metafile.outputs[relative(root, path)] ?? {}
      const isCommonJs = entryPoint !== undefined && metafile.inputs[entryPoint]?.format === 'cjs'
      const { code, map } = await transform(text + mapIn(maps.get(`${path}.map`)), {
        ...common,
        format: 'cjs',
        define: { 'import.meta.url': 'importMetaUrl' },
        supported: { 'dynamic-import': false },
      })
      const linked = whenUsed(code, (chunk) => isPure(join(dirname(path), chunk)))
        // A chunk is what it exports: without a copy of that for itself, and one for each import() of it.
        .replace('module.exports = __toCommonJS(stdin_exports);', EXPORTS)
        .replaceAll(/__toESM\((require\("\.[^"]+"\))(?:, 1)?\)/g, '$1')
        .replaceAll(
          /require\("(\.[^"]+)\.js"\)/g,
          (_all, id) => `require("./${nameOf(join(dirname(path), `${id}.js`))}")`,
        )
      const script = await transform(`chunk=function(${GIVEN}){${linked}${isCommonJs ? NAMED : ''}\n}`, {
        ...common,
        minify: true,
      })
      const small = `(${script.code.trim().replace(/^chunk=|;$/g, '')})`
      if (/[^\0-\xff]/.test(small)) throw new Error(`${basename(path)} holds more than one byte can say`)
      const chunk = { name: nameOf(path), code: small, isLate: isPure(path) }
      return maps.size > 0 ? { ...chunk, maps: [script.map, map] } : chunk
    }),
  )
}

/** A source map as the text it belongs to carries it. @param {string | undefined} map */
function mapIn(map) {
  return map === undefined
    ? ''
    : `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`
}

/** A name for exactly these chunks. @param {readonly Chunk[]} chunks */
export function buildName(chunks) {
  const hash = createHash('sha256')
  for (const { name, code } of [...chunks].sort((a, b) => (a.name < b.name ? -1 : 1))) hash.update(`${name}\n${code}\n`)
  return hash.digest('hex').slice(0, 16)
}
