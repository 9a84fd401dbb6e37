// Turns the split bundle into scripts that src/start runs: V8 keeps what it has compiled of a script, and of an ES
// module it can't.
import { createHash } from 'node:crypto'
import { basename, relative } from 'node:path'
import { transform } from 'esbuild'

/** What the code of a chunk finds by name, in the order of `Chunk` in src/start/chunk-loader.ts. */
const GIVEN = 'exports,require,module,__filename,__dirname,importMetaUrl,ensoImport'

// An import() of a CommonJS package finds its exports by name, as it does in Node.
const NAMED = `{const{default:d}=module.exports;for(const k of Object.keys(d))if(!(k in module.exports))Object.defineProperty(module.exports,k,{enumerable:true,get:()=>d[k]})}`

/**
 * @typedef {object} Chunk
 * @property {string} name its path below the output folder
 * @property {string} code
 */

/**
 * @param {import('esbuild').BuildResult<{ write: false, metafile: true }>} built ES modules
 * @param {string} root what the paths of its account are relative to
 * @param {string} outdir absolute
 * @returns {Promise<readonly Chunk[]>}
 */
export function chunksOf({ outputFiles, metafile }, root, outdir) {
  return Promise.all(
    outputFiles.map(async ({ path, text }) => {
      const { entryPoint } = metafile.outputs[relative(root, path)] ?? {}
      const isCommonJs = entryPoint !== undefined && metafile.inputs[entryPoint]?.format === 'cjs'
      const { code } = await transform(text, {
        format: 'cjs',
        platform: 'node',
        target: 'node20.19',
        minify: true,
        define: { 'import.meta.url': 'importMetaUrl' },
        supported: { 'dynamic-import': false },
      })
      const linked = code.replaceAll(/require\("(\.[^"]+)\.js"\)/g, 'require("$1.cjs")')
      const script = `(function(${GIVEN}){${linked}${isCommonJs ? NAMED : ''}\n})`
      if (/[^\0-\xff]/.test(script)) throw new Error(`${basename(path)} holds more than one byte can say`)
      return { name: relative(outdir, path).replace(/\.js$/, '.cjs'), code: script }
    }),
  )
}

/** A name for exactly these chunks. @param {readonly Chunk[]} chunks */
export function buildName(chunks) {
  const hash = createHash('sha256')
  for (const { name, code } of [...chunks].sort((a, b) => (a.name < b.name ? -1 : 1))) hash.update(`${name}\n${code}\n`)
  return hash.digest('hex').slice(0, 16)
}
