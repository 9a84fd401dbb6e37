// Imports of a chunk that are loaded by their first use: what a command never uses, it neither loads nor evaluates.

/** Node's own modules that every process has loaded anyway, or whose state is looked at when a chunk is loaded. */
const ALWAYS = /^(?:node:)?(?:buffer|events|fs|module|os|path|process|stream|string_decoder|timers|url|util|vm)$/
const NODE = /^(?:node:)?[a-z_]+(?:\/[a-z]+)?$/

const IMPORT = /^var (import_\w+) = (__toESM\()?require\("([^"]+)"\)(?:, 1)?\)?;$/gm

/**
 * @param {string} code of one chunk, as esbuild makes a script of a module: each import a variable, each use of one a
 * property of it
 * @param {(chunk: string) => boolean} isPure may this chunk be evaluated late?
 */
export function whenUsed(code, isPure) {
  for (const [line, name = '', wrapped, id = ''] of code.matchAll(IMPORT)) {
    const mayBeLate = id.startsWith('.') ? isPure(id) : NODE.test(id) && !ALWAYS.test(id)
    if (!mayBeLate) continue
    const others = code.replace(line, '')
    if (!new RegExp(`\\b${name}\\b`).test(others)) {
      code = others
      continue
    }
    const value = lateValue(others, name, wrapped === undefined ? 'named' : 'any', id)
    if (value === undefined) continue
    code = code
      .replace(line, () => `var \0 = () => \0made ??= ${value}, \0made;`)
      .replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `(${name}())`)
      .replaceAll('\0', name)
  }
  return code
}

/**
 * What the variable of an import holds, or nothing where the import is used as a whole: then it stays as it is.
 * @param {string} code without the import @param {string} name @param {'named' | 'any'} shape @param {string} id
 */
function lateValue(code, name, shape, id) {
  const uses = [...code.matchAll(new RegExp(`(...|^)\\b${name}\\b(\\.default\\b)?(\\.)?`, 'gs'))]
  // A property of that name, or a text that holds it, is no use.
  if (uses.some(([, before = '']) => /[\w$"'`]$|(?:^|[^.])\.$/.test(before))) return undefined
  if (uses.every(([, , isDefault, dot]) => isDefault === undefined && dot === '.')) return `require("${id}")`
  const isDefault = shape === 'any' && !id.startsWith('.') && uses.every(([, , isDefault]) => isDefault !== undefined)
  return isDefault ? `{ default: require("${id}") }` : undefined
}
