// The agent library as a run needs it: what only its own terminal interface uses is left out, and what extension files
// need is loaded with the first of them.
import { applyEdits } from './edits.js'

const VIRTUAL_MODULES = `
async function virtualModules() {
    const [typebox, compile, value, agentCore, tui, ai, oauth, self] = await Promise.all([
        import("typebox"), import("typebox/compile"), import("typebox/value"), import("@mariozechner/pi-agent-core"),
        import("@mariozechner/pi-tui"), import("@mariozechner/pi-ai"), import("@mariozechner/pi-ai/oauth"), import("../../index.js"),
    ]);
    return {
        typebox, "typebox/compile": compile, "typebox/value": value,
        "@sinclair/typebox": typebox, "@sinclair/typebox/compile": compile, "@sinclair/typebox/value": value,
        "@mariozechner/pi-agent-core": agentCore, "@mariozechner/pi-tui": tui, "@mariozechner/pi-ai": ai,
        "@mariozechner/pi-ai/oauth": oauth, "@mariozechner/pi-coding-agent": self,
    };
}
`

/** @type {readonly import('./edits.js').Edit[]} */
const EDITS = [
  {
    file: /pi-coding-agent\/dist\/core\/extensions\/loader\.js$/,
    why: 'extension files get the library that runs, not a second copy, and only when there is one',
    replace: [
      [/^import \* as _bundled\w+ from "[^"]+";\n/gm, ''],
      ['import { createJiti } from "jiti/static";\n', ''],
      [/const VIRTUAL_MODULES = \{[\s\S]*?\n\};\n/, VIRTUAL_MODULES],
      [
        'const jiti = createJiti(import.meta.url, {',
        'const { createJiti } = await import("jiti/static");\n    const modules = await virtualModules();\n    const jiti = createJiti(import.meta.url, {',
      ],
      [
        '...(isBunBinary ? { virtualModules: VIRTUAL_MODULES, tryNative: false } : { alias: getAliases() }),',
        'virtualModules: modules, tryNative: false,',
      ],
    ],
  },
  {
    file: /\/jiti\/lib\/jiti-static\.mjs$/,
    why: 'a script that V8 took from a cache can not import',
    replace: [['(id) => import(id);', 'typeof ensoImport === "undefined" ? (id) => import(id) : ensoImport;']],
  },
  {
    file: /pi-coding-agent\/dist\/modes\/interactive\/theme\/theme\.js$/,
    why: 'syntax highlighting is for a terminal interface that is never drawn here',
    replace: [
      [
        'import { highlight, supportsLanguage } from "cli-highlight";',
        'const highlight = (code) => code;\nconst supportsLanguage = () => false;',
      ],
    ],
  },
  {
    file: /pi-ai\/dist\/providers\/register-builtins\.js$/,
    why: 'a provider named by a variable would not be bundled',
    replace: [['importNodeOnlyProvider("./amazon-bedrock.js")', 'import("./amazon-bedrock.js")']],
  },
]

/** Packages that stay outside: native code, files read beside their own source, or optional and not installed. */
export const EXTERNAL = [
  '@mariozechner/clipboard',
  '@opentelemetry/api',
  '@silvia-odwyer/photon-node',
  'bufferutil',
  'koffi',
  'utf-8-validate',
]

/** @returns {import('esbuild').Plugin} */
export function slimLibrary() {
  return {
    name: 'slim-library',
    setup(build) {
      build.onResolve({ filter: /^(\.|@mariozechner\/)/ }, async ({ path, pluginData, ...args }) => {
        if (pluginData === 'resolved' || !/@mariozechner/.test(path + args.importer)) return undefined
        const found = await build.resolve(path, { ...args, pluginData: 'resolved' })
        if (found.errors.length > 0 || !found.path.includes('/node_modules/@mariozechner/')) return found
        return { ...found, sideEffects: false }
      })
      applyEdits(build, EDITS)
    },
  }
}
