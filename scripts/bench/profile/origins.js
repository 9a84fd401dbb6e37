// Says which module a place in the shipped bundle comes from.
import { readdirSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join, relative } from 'node:path'
import { chunksOf } from '../../bundle/chunks.js'
import { buildProgram } from '../../bundle/program.js'

/** A text without its names: those of another build differ, their lengths don't. */
const shapeOf = (/** @type {string} */ text) => text.replaceAll(/[\w$]/g, 'x')
/** What the small text of a chunk began with before it became an expression. */
const [BEGAN, BEGINS] = ['chunk=', '(']

/**
 * @typedef {object} Place as a CPU profile has it, from nought
 * @property {string} url
 * @property {number} lineNumber
 * @property {number} columnNumber
 *
 * @typedef {(place: Place) => string | undefined} Origins the module's path; nothing for code that is not of the bundle
 *
 * @typedef {object} Mapped a chunk of a build with source maps
 * @property {string} name
 * @property {string} code
 * @property {readonly string[]} [maps]
 */

/**
 * Builds the same bundle once more, with source maps. What is shipped stays as it is: its chunks are found by the shape
 * of their text, for a build with maps has other hashes, and other short names.
 * @param {string} root
 * @returns {Promise<Origins>}
 */
export async function originsOf(root) {
  const dist = join(root, 'dist')
  const chunks = await chunksOf(await buildProgram(root, dist, { sourcemap: 'external' }), root, dist)
  const files = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.cjs'))
    .map((entry) => relative(dist, join(entry.parentPath, entry.name)))
  /** @type {Map<string, ReturnType<typeof originIn>>} */
  const known = new Map()
  return ({ url, lineNumber, columnNumber }) => {
    const name = files.find((file) => url.endsWith(`/dist/${file}`))
    if (name === undefined) return undefined
    const originOf = known.get(name) ?? originIn(readFileSync(join(dist, name), 'latin1'), chunks)
    known.set(name, originOf)
    return originOf(lineNumber, columnNumber)
  }
}

/**
 * @param {string} text of a file that holds one chunk or several
 * @param {readonly Mapped[]} chunks
 * @returns {(line: number, column: number) => string | undefined}
 */
export function originIn(text, chunks) {
  const file = shapeOf(text)
  const held = chunks.flatMap(({ name, code, maps = [] }) => {
    const [label, plain] = [shapeOf(name), shapeOf(code)]
    if (file === plain) return [{ from: 0, plain, maps }]
    const from = file.indexOf(`"${label}":${plain.slice(BEGINS.length, -1)}`)
    // As if the chunk's own opening bracket stood in the pack.
    return from === -1 ? [] : [{ from: from + `"${label}":`.length - BEGINS.length, plain, maps }]
  })
  /** @type {Map<string, SourceMap>} */
  const parsed = new Map()
  const find = (/** @type {string} */ map, /** @type {number} */ line, /** @type {number} */ column) => {
    const source = parsed.get(map) ?? new SourceMap(JSON.parse(map))
    parsed.set(map, source)
    const entry = source.findEntry(line, column)
    return 'originalSource' in entry ? entry : undefined
  }
  return (line, column) => {
    const at = offsetOf(file, line, column)
    const chunk = held.find(({ from, plain }) => at >= from && at < from + plain.length)
    const [small, whole] = chunk?.maps ?? []
    if (chunk === undefined || small === undefined || whole === undefined) return undefined
    const [row, place] = placeOf(chunk.plain, at - chunk.from)
    const before = find(small, row, row === 0 ? place + BEGAN.length - BEGINS.length : place)
    // Lines stay lines while a chunk is made, columns don't.
    return before === undefined ? undefined : find(whole, before.originalLine, Infinity)?.originalSource
  }
}

/** @param {string} text @param {number} line @param {number} column */
function offsetOf(text, line, column) {
  let at = 0
  for (let n = 0; n < line; n++) at = text.indexOf('\n', at) + 1
  return at + column
}

/** @param {string} text @param {number} offset @returns {[line: number, column: number]} */
function placeOf(text, offset) {
  const before = text.slice(0, offset)
  return [before.split('\n').length - 1, offset - (before.lastIndexOf('\n') + 1)]
}
