// Takes the providers of the agent library to enso's way of letting a reply's content grow.
import { join } from 'node:path'
import { applyEdits } from './edits.js'

const MODULE = 'enso:streamed-blocks'
const IMPORT = /** @type {const} */ ([/^/, `import { grownText, streamArguments } from '${MODULE}'\n`])

/** @type {readonly [RegExp, string]} */
const TEXT = [/\b(\w+)\.(text|thinking) \+= ([\w.]+);/g, '$1.$2 = grownText($1, $1.$2, $3);']
/** @type {readonly [RegExp, string]} */
const ARGUMENTS = [
  /\b(\w+)\.arguments = parseStreamingJson\(\1\.(\w+)\);(?=\s+(?:\}\s+)?stream\.push\(\{\s*type: "toolcall_delta")/,
  'streamArguments($1, $1.$2, parseStreamingJson);',
]

/** @param {string} name @param {readonly (readonly [RegExp, string])[]} replace @returns {import('./edits.js').Edit} */
const provider = (name, ...replace) => ({
  file: new RegExp(`pi-ai/dist/providers/${name}\\.js$`),
  why: 'each piece of a reply cost memory until its end, and each piece of a call its parsing from the beginning',
  replace: [IMPORT, ...replace],
})

/** @type {readonly import('./edits.js').Edit[]} */
const EDITS = [
  ...['openai-completions', 'openai-responses-shared', 'anthropic', 'mistral', 'amazon-bedrock'].map((name) =>
    provider(name, TEXT, ARGUMENTS),
  ),
  // Their calls come whole.
  ...['google', 'google-vertex'].map((name) => provider(name, TEXT)),
]

/** @param {string} root the project's @returns {import('esbuild').Plugin} */
export function leanStreams(root) {
  return {
    name: 'lean-streams',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${MODULE}$`) }, () => ({
        path: join(root, 'src/host/models/streamed-blocks.ts'),
      }))
      applyEdits(build, EDITS)
    },
  }
}
