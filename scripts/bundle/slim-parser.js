// The command line's parser as enso uses it: for parsing alone. What the package has for its own help, its translations
// and for looking up files around it is left out: it costs more to load than everything else of the parser, and in a
// bundle its paths would lead outside of the installation.
import { dirname } from 'node:path'

const PLATFORM = `
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import Parser from 'yargs-parser'

const missing = (what) => () => {
    throw new Error(what + ' is left out of this bundle')
}
const words = (text, ...values) => text.replaceAll('%s', () => String(values.shift()))

export default {
    assert: {
        notStrictEqual: (value, other) => { if (value === other) throw new Error('the parser found ' + String(value)) },
        strictEqual: (value, other) => { if (value !== other) throw new Error('the parser found ' + String(value)) },
    },
    cliui: missing('help'),
    findUp: () => undefined,
    getEnv: () => undefined,
    inspect: String,
    getProcessArgvBin: () => 'enso',
    mainFilename: '',
    Parser,
    path: { basename, dirname, extname, join, relative, resolve },
    process: {
        argv: () => [], cwd: () => process.cwd(), emitWarning: () => undefined, execPath: () => process.execPath,
        exit: missing('exit'), nextTick: process.nextTick, stdColumns: null,
    },
    readFileSync: missing('files'),
    readdirSync: missing('files'),
    require: missing('require'),
    getCallerFile: missing('files'),
    stringWidth: (text) => text.length,
    y18n: {
        __: words, __n: (one, many, count, ...values) => words(count === 1 ? one : many, ...values),
        getLocale: () => 'en', setLocale: () => undefined, updateLocale: () => undefined,
    },
}
`

/** @returns {import('esbuild').Plugin} */
export function slimParser() {
  return {
    name: 'slim-parser',
    setup(build) {
      let seen = false
      build.onLoad({ filter: /\/yargs\/lib\/platform-shims\/esm\.mjs$/ }, ({ path }) => {
        seen = true
        return { contents: PLATFORM, resolveDir: dirname(path), loader: 'js' }
      })
      build.onEnd(() =>
        seen ? undefined : { errors: [{ text: 'the parser changed: its platform file is not there' }] },
      )
    },
  }
}
