// The agent library's list of a thousand models as lists of its providers, each made when somebody asks for a model of
// that provider: a run needs one model.
import { readFileSync } from 'node:fs'
import { applyEdits } from './edits.js'

const GENERATED = new URL('../../node_modules/@mariozechner/pi-ai/dist/models.generated.js', import.meta.url)
const PROVIDER = /^ {4}"([\w-]+)": \{$/gm
const providers = [...readFileSync(GENERATED, 'utf8').matchAll(PROVIDER)].map(([, name]) => name)

const why = 'making all models takes longer than finding one'

/** @type {readonly import('./edits.js').Edit[]} */
const EDITS = [
  {
    file: /pi-ai\/dist\/models\.generated\.js$/,
    why,
    replace: [
      [/^export const MODELS = \{$/m, 'const made = {};\nexport const MODELS = {'],
      [PROVIDER, '    get "$1"() { return made["$1"] ??= {'],
      [/^ {4}\},$/gm, '    }; },'],
    ],
  },
  {
    file: /pi-ai\/dist\/models\.js$/,
    why,
    replace: [
      [
        /const modelRegistry = new Map\(\);[\s\S]*?\n\}\n/,
        `const PROVIDERS = ${JSON.stringify(providers)};
const made = new Map();
const modelRegistry = {
    keys: () => PROVIDERS,
    get(provider) {
        if (!made.has(provider) && PROVIDERS.includes(provider)) made.set(provider, new Map(Object.entries(MODELS[provider])));
        return made.get(provider);
    },
};
`,
      ],
    ],
  },
]

/**
 * For the edit of the library's registry: it makes its list of all models when somebody wants all, and looks for one
 * among those of its provider.
 * @type {readonly (readonly [string | RegExp, string])[]}
 */
export const REGISTRY_EDITS = [
  [
    '    models = [];',
    '    get models() { return (this.made ??= this.make()); }\n    set models(made) { this.made = made; }',
  ],
  [
    /const builtInModels = this\.loadBuiltInModels\(overrides, modelOverrides\);\s+let combined = this\.mergeCustomModels\(builtInModels, customModels\);/,
    `this.make = (only) => this.mergeCustomModels(this.loadBuiltInModels(overrides, modelOverrides, only), only === undefined ? customModels : customModels.filter((m) => m.provider === only));
        this.made = undefined;`,
  ],
  [
    'combined = oauthProvider.modifyModels(combined, cred);',
    'this.models = oauthProvider.modifyModels(this.models, cred);',
  ],
  ['        this.models = combined;\n', ''],
  ['loadBuiltInModels(overrides, modelOverrides) {', 'loadBuiltInModels(overrides, modelOverrides, only) {'],
  [
    'return getProviders().flatMap((provider) => {',
    'return getProviders().filter((provider) => only === undefined || provider === only).flatMap((provider) => {',
  ],
  [
    'return this.models.find((m) => m.provider === provider && m.id === modelId);',
    'return (this.made ?? this.make(provider)).find((m) => m.provider === provider && m.id === modelId);',
  ],
]

/** @returns {import('esbuild').Plugin} */
export function lazyModels() {
  return { name: 'lazy-models', setup: (build) => applyEdits(build, EDITS) }
}
