// The agent library's file tools hold a file several times over: they ask first how large it is.
import { join } from 'node:path'
import { applyEdits } from './edits.js'

const MODULE = 'enso:bounded-files'
const why = 'a file of half a gigabyte took three of memory to read, and eight to edit'

/** @type {readonly import('./edits.js').Edit[]} */
const EDITS = [
  {
    file: /pi-coding-agent\/dist\/core\/tools\/read\.js$/,
    why,
    replace: [
      [/^/, `import { readIfLong } from '${MODULE}'\n`],
      [
        /(await ops\.access\(absolutePath\);\s+if \(aborted\)\s+return;)/,
        `$1
                        const long = options?.operations ? undefined : await readIfLong(absolutePath, { path, offset, limit }, signal);
                        if (long) {
                            signal?.removeEventListener("abort", onAbort);
                            resolve(long);
                            return;
                        }`,
      ],
    ],
  },
  {
    file: /pi-coding-agent\/dist\/core\/tools\/edit\.js$/,
    why,
    replace: [
      [/^/, `import { refuseLongEdit } from '${MODULE}'\n`],
      [
        'const buffer = await ops.readFile(absolutePath);',
        'if (ops === defaultEditOperations) await refuseLongEdit(absolutePath, path);\n                        const buffer = await ops.readFile(absolutePath);',
      ],
    ],
  },
]

/** @param {string} root the project's @returns {import('esbuild').Plugin} */
export function boundedFiles(root) {
  return {
    name: 'bounded-files',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${MODULE}$`) }, () => ({
        path: join(root, 'src/host/tools/files/bounded-files.ts'),
      }))
      applyEdits(build, EDITS)
    },
  }
}
