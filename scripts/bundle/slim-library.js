// The agent library as a run needs it: what only its own terminal interface uses is left out, and what extension files
// need is loaded with the first of them.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { applyEdits } from './edits.js'
import { REGISTRY_EDITS } from './lazy-models.js'

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

/**
 * An import of a function that a run may never call, made a function that loads its package when it is called.
 * @param {RegExp} file @param {string} name @param {string} from @returns {import('./edits.js').Edit}
 */
const whenCalled = (file, name, from) => ({
  file,
  why: `${from} is loaded when it is needed`,
  replace: [
    [`import { ${name} } from "${from}";`, `const ${name} = (...given) => require("${from}").${name}(...given);`],
  ],
})

/** @type {readonly [string, string]} */
const LOCK_WHEN_CALLED = [
  'import lockfile from "proper-lockfile";',
  'const lockfile = { lock: (...given) => require("proper-lockfile").lock(...given), lockSync: (...given) => require("proper-lockfile").lockSync(...given) };',
]

/** @type {readonly import('./edits.js').Edit[]} */
const EDITS = [
  whenCalled(/pi-coding-agent\/dist\/utils\/frontmatter\.js$/, 'parse', 'yaml'),
  {
    file: /pi-coding-agent\/dist\/utils\/git\.js$/,
    why: 'hosts of packages are looked up when a package is',
    replace: [
      [
        'import hostedGitInfo from "hosted-git-info";',
        'const hostedGitInfo = { fromUrl: (...given) => require("hosted-git-info").fromUrl(...given) };',
      ],
    ],
  },
  {
    file: /pi-coding-agent\/dist\/core\/settings-manager\.js$/,
    why: 'files are locked when they are written',
    replace: [LOCK_WHEN_CALLED],
  },
  {
    file: /pi-coding-agent\/dist\/core\/auth-storage\.js$/,
    why: 'a lock made and taken off again for a look costs more than all of the look',
    replace: [
      LOCK_WHEN_CALLED,
      [
        '    withLock(fn) {\n        this.ensureParentDir();',
        `    // It is emptied before it is written: an object that is whole was not being written.
    whole() {
        try {
            const data = JSON.parse(readFileSync(this.authPath, "utf-8"));
            return typeof data === "object" && !Array.isArray(data) ? (data ?? undefined) : undefined;
        }
        catch {
            return undefined;
        }
    }
    withLock(fn) {
        this.ensureParentDir();`,
      ],
      [
        'this.storage.withLock((current) => {\n                content = current;\n                return { result: undefined };\n            });\n            this.data = this.parseStorageData(content);',
        `const whole = this.storage.whole?.();
            if (whole === undefined) this.storage.withLock((current) => {
                content = current;
                return { result: undefined };
            });
            this.data = whole ?? this.parseStorageData(content);`,
      ],
    ],
  },
  {
    file: /pi-coding-agent\/dist\/utils\/mime\.js$/,
    why: 'file-type is loaded when a file is read',
    replace: [
      [
        'import { fileTypeFromBuffer } from "file-type";',
        'const fileTypeFromBuffer = async (bytes) => (await import("file-type")).fileTypeFromBuffer(bytes);',
      ],
    ],
  },
  {
    file: /pi-coding-agent\/dist\/utils\/tools-manager\.js$/,
    why: 'nothing is downloaded, so nothing is unpacked',
    replace: [
      [
        'import extractZip from "extract-zip";',
        'const extractZip = async (...given) => (await import("extract-zip")).default(...given);',
      ],
    ],
  },
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
    why: 'highlighting and themes are for a terminal interface that is never drawn here',
    replace: [
      [
        'const validateThemeJson = Compile(ThemeJsonSchema);',
        'const validateThemeJson = { Check: (json) => Compile(ThemeJsonSchema).Check(json), Errors: (json) => Compile(ThemeJsonSchema).Errors(json) };',
      ],
      [
        'import { highlight, supportsLanguage } from "cli-highlight";',
        'const highlight = (code) => code;\nconst supportsLanguage = () => false;',
      ],
    ],
  },
  {
    file: /pi-coding-agent\/dist\/core\/model-registry\.js$/,
    why: 'one small file is checked once: compiling its schema takes longer',
    replace: [
      ...REGISTRY_EDITS,
      [/^/, "import { plainlyFits } from 'enso:plainly-fits'\n"],
      ['import { Compile } from "typebox/compile";', 'import { Value } from "typebox/value";'],
      [
        'const validateModelsConfig = Compile(ModelsConfigSchema);',
        'const validateModelsConfig = { Check: (config) => plainlyFits(ModelsConfigSchema, config) || Value.Check(ModelsConfigSchema, config), Errors: (config) => Value.Errors(ModelsConfigSchema, config) };',
      ],
    ],
  },
  {
    file: /pi-coding-agent\/dist\/utils\/photon\.js$/,
    why: 'the code that resizes images lies beside the bundle, and is taken from nowhere else',
    replace: [
      ['const restoreReadFileSync = patchPhotonWasmRead();', 'const restoreReadFileSync = () => undefined;'],
      ['await import("@silvia-odwyer/photon-node")', '(await import("@silvia-odwyer/photon-node")).default'],
    ],
  },
  {
    file: /pi-coding-agent\/dist\/core\/extensions\/runner\.js$/,
    why: 'a context was made for each delta, though hardly an extension listens to them',
    replace: [
      [/(async emit\(event\) \{\s+)const ctx = this\.createContext\(\);/, '$1let ctx;'],
      [
        'const handlerResult = await handler(event, ctx);',
        'const handlerResult = await handler(event, (ctx ??= this.createContext()));',
      ],
    ],
  },
  {
    file: /pi-tui\/dist\/utils\.js$/,
    why: 'making a segmenter loads tables of all alphabets',
    replace: [
      [/const segmenter = (new Intl\.Segmenter\(.*?\));/, 'let made;\nconst segmenterOf = () => (made ??= $1);'],
      ['return segmenter;', 'return segmenterOf();'],
      [
        /const rgiEmojiRegex = (.*);/,
        'let emoji;\nconst rgiEmojiRegex = { test: (text) => (emoji ??= $1).test(text) };',
      ],
      [/\bsegmenter\.segment\(/g, 'segmenterOf().segment('],
    ],
  },
  {
    file: /pi-ai\/dist\/providers\/register-builtins\.js$/,
    why: 'a provider named by a variable would not be bundled',
    replace: [['importNodeOnlyProvider("./amazon-bedrock.js")', 'import("./amazon-bedrock.js")']],
  },
]

/**
 * What nothing of a run imports from a package's index. Extension files get the whole index. Whoever imports some of it
 * gets one of his own without these, or a run would load whatever any extension file might ask for.
 */
const LEFT_TO_EXTENSIONS = {
  'pi-coding-agent': ['main', 'modes/index', 'modes/interactive/components/index', 'utils/clipboard'],
  'pi-tui': ['autocomplete', 'components/(?!box|spacer|text)[\\w-]+', 'fuzzy', 'stdin-buffer', 'terminal'],
  'pi-ai': ['providers/faux'],
}

/** The library's own terminal interface, which extension files may build on. */
const INTERFACE =
  /pi-coding-agent\/dist\/(?:cli|main|modes\/(?!interactive\/(?:theme|components\/(?:diff|keybinding-hints|visual-truncate))))/

/** Packages that stay outside: native code that is not installed, and that nothing of enso misses. */
export const EXTERNAL = ['@mariozechner/clipboard', 'bufferutil', 'koffi', 'utf-8-validate']

const PLAINLY_FITS = fileURLToPath(new URL('../../src/core/plainly-fits.ts', import.meta.url))

/** @returns {import('esbuild').Plugin} */
export function slimLibrary() {
  return {
    name: 'slim-library',
    setup(build) {
      build.onResolve({ filter: /^enso:plainly-fits$/ }, () => ({ path: PLAINLY_FITS }))
      build.onResolve({ filter: /^(\.|@mariozechner\/)/ }, async ({ path, pluginData, ...args }) => {
        if (pluginData === 'resolved' || !/@mariozechner/.test(path + args.importer)) return undefined
        const found = await build.resolve(path, { ...args, pluginData: 'resolved' })
        if (found.errors.length > 0 || !found.path.includes('/node_modules/@mariozechner/')) return found
        const isSome = args.kind === 'import-statement' && !path.startsWith('.') && !INTERFACE.test(args.importer)
        const suffix = isSome ? '?some' : ''
        return { ...found, suffix, sideEffects: false }
      })
      for (const [name, files] of Object.entries(LEFT_TO_EXTENSIONS)) {
        const line = new RegExp(
          `^export \\{[^}]*\\} from "\\./(?:${files.join('|')})\\.js";$|^export \\* from "\\./(?:${files.join('|')})\\.js";$`,
          'gm',
        )
        build.onLoad({ filter: new RegExp(`@mariozechner/${name}/dist/index\\.js$`) }, ({ path, suffix }) =>
          suffix === '?some' ? { contents: readFileSync(path, 'utf8').replaceAll(line, '') } : undefined,
        )
      }
      applyEdits(build, EDITS)
    },
  }
}
