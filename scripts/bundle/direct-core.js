// Imports from the core's index as imports from its files: a command then loads the schemas that it uses, and one that
// uses none loads no schemas.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const INDEX_EXPORT = /export (?:type )?\{([^}]*)\} from '(\.\/[\w-]+\.js)'/g
const INDEX_IMPORT = /import (type )?\{([^}]*)\} from '((?:\.\.\/)+core)\/index\.js'/g

/** The values among names between braces. @param {string} list */
const valuesIn = (list) =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))

/** @param {string} root the project's @returns {import('esbuild').Plugin} */
export function directCore(root) {
  return {
    name: 'direct-core',
    setup(build) {
      const index = readFileSync(join(root, 'src/core/index.ts'), 'utf8')
      /** @type {Map<string, string>} */
      const fileOf = new Map()
      for (const [, list = '', file = ''] of index.matchAll(INDEX_EXPORT)) {
        for (const name of valuesIn(list)) fileOf.set(name, file)
      }
      build.onLoad(
        { filter: /\/src\/(?:cli|compose|host|log|server|system|thread)\/.*\.ts$|\/src\/compose\.ts$/ },
        ({ path }) => {
          const text = readFileSync(path, 'utf8')
          const contents = text.replace(INDEX_IMPORT, (_all, isType, list, core) => {
            if (isType) return ''
            return valuesIn(list)
              .map((name) => {
                const file = fileOf.get(name.replace(/ as .*/, ''))
                if (file === undefined)
                  throw new Error(`the core's index does not export ${name}, which ${path} imports`)
                return `import { ${name} } from '${core}/${file}'`
              })
              .join(';')
          })
          return { contents, loader: 'ts' }
        },
      )
    },
  }
}
