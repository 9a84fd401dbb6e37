// Takes the model providers' own libraries to enso's `modelFetch`, and past the globals that load all of the process's
// own `fetch`: its `Headers`, and the classes that a request's body is compared with.
import { join } from 'node:path'
import { applyEdits } from './edits.js'

const MODULE = 'enso:model-fetch'
const CLIENTS = '/(?:openai|@anthropic-ai/sdk)'

/** @type {readonly import('./edits.js').Edit[]} */
const EDITS = [
  {
    file: new RegExp(`${CLIENTS}/internal/shims\\.mjs$`),
    why: 'the first use of fetch takes longer than everything else before a request',
    replace: [
      [/^/, `import { modelFetch } from '${MODULE}'\n`],
      ['return fetch;', 'return modelFetch;'],
    ],
  },
  {
    file: new RegExp(`${CLIENTS}/internal/headers\\.mjs$`),
    why: 'making Headers loads fetch',
    replace: [
      [/^/, `import { createPlainHeaders, isHeaders } from '${MODULE}'\n`],
      ['headers instanceof Headers', 'isHeaders(headers)'],
      ['new Headers()', 'createPlainHeaders()'],
    ],
  },
  {
    file: new RegExp(`${CLIENTS}/internal/utils/log\\.mjs$`),
    why: 'naming Headers loads fetch',
    replace: [
      [/^/, `import { isHeaders } from '${MODULE}'\n`],
      ['details.headers instanceof Headers', 'isHeaders(details.headers)'],
    ],
  },
  {
    file: new RegExp(`${CLIENTS}/core/streaming\\.mjs$`),
    why: 'what is left of a chunk was copied for each event in it',
    replace: [
      ['yield data.slice(0, patternIndex);', 'yield data.subarray(0, patternIndex);'],
      ['data = data.slice(patternIndex);', 'data = data.subarray(patternIndex);'],
    ],
  },
  {
    file: new RegExp(`${CLIENTS}/internal/utils/bytes\\.mjs$`),
    why: 'each event was copied once more, behind nothing',
    replace: [
      [
        'let length = 0;',
        'if (buffers.length === 2 && buffers[0].length === 0) return buffers[1];\n    let length = 0;',
      ],
    ],
  },
  {
    file: new RegExp(`${CLIENTS}/client\\.mjs$`),
    why: 'naming FormData and ReadableStream loads them',
    replace: [
      ['body instanceof FormData', "body[Symbol.toStringTag] === 'FormData'"],
      [
        /globalThis\.ReadableStream &&\s+([\w.]+) instanceof globalThis\.ReadableStream/g,
        "$1?.[Symbol.toStringTag] === 'ReadableStream'",
      ],
    ],
  },
]

/** @param {string} root the project's @returns {import('esbuild').Plugin} */
export function leanFetch(root) {
  const here = (/** @type {string} */ path) => JSON.stringify(join(root, 'src/host', path))
  return {
    name: 'lean-fetch',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${MODULE}$`) }, ({ path }) => ({ path, namespace: 'enso' }))
      build.onLoad({ filter: /./, namespace: 'enso' }, () => ({
        contents: `
          import { isPlainHeaders } from ${here('models/fetch/plain-headers.ts')}
          export { createPlainHeaders } from ${here('models/fetch/plain-headers.ts')}
          export { modelFetch } from ${here('models/network.ts')}
          export const isHeaders = (value) => isPlainHeaders(value) || value?.[Symbol.toStringTag] === 'Headers'
        `,
        resolveDir: root,
      }))
      applyEdits(build, EDITS)
    },
  }
}
