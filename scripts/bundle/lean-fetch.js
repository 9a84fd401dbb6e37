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
    file: /\/openai\/core\/streaming\.mjs$/,
    why: 'each event was looked for byte by byte, copied, decoded and handed on three times; what could not be read was written to standard error',
    replace: [
      [/\b(?:logger|console)\.error\(`(?:Could not parse message into JSON|From chunk):`, [^\n]*\);/g, ''],
      [/^/, `import { createSseReader } from 'enso:sse-events'\n`],
      [
        'for await (const sse of _iterSSEMessages(response, controller)) {',
        'for await (const batch of _iterSSEMessages(response, controller)) for (const sse of batch) {',
      ],
      [
        /const sseDecoder = new SSEDecoder\(\);[\s\S]*?\n\}\n/,
        `const reader = createSseReader();
    for await (const chunk of ReadableStreamToAsyncIterable(response.body)) {
        if (chunk != null)
            yield reader.push(chunk);
    }
    yield reader.end().complete;
}
`,
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
