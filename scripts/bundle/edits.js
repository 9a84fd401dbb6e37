// Edits of a package's own files as they are bundled. Each names the text it replaces and fails the build when that is
// not there any more: the packages are pinned, and a silent miss would bring their cost back.
import { readFileSync } from 'node:fs'

/** @typedef {{ readonly file: RegExp, readonly why: string, readonly replace: readonly (readonly [string | RegExp, string])[] }} Edit */

/** @param {import('esbuild').PluginBuild} build @param {readonly Edit[]} edits */
export function applyEdits(build, edits) {
  /** @type {Set<Edit>} */
  const met = new Set()
  for (const edit of edits) {
    build.onLoad({ filter: edit.file }, ({ path }) => {
      met.add(edit)
      return { contents: apply(edit, readFileSync(path, 'utf8')), loader: 'js' }
    })
  }
  build.onEnd(() => ({
    errors: edits
      .filter((edit) => !met.has(edit))
      .map(({ file, why }) => ({ text: `a package changed: there is no ${file} (${why})` })),
  }))
}

/** @param {Edit} edit @param {string} text */
function apply(edit, text) {
  for (const [find, put] of edit.replace) {
    const changed = typeof find === 'string' ? text.replace(find, () => put) : text.replace(find, put)
    if (changed === text) throw new Error(`a package changed: ${find} is not in ${edit.file} (${edit.why})`)
    text = changed
  }
  return text
}
