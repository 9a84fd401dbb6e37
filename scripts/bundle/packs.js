// Puts the chunks that the same commands load into one file: a start then reads a few files instead of a hundred.
import { createHash } from 'node:crypto'

/**
 * Chunks by the commands that load them. One that is alone in that stays a file of its own, unless it is evaluated by its
 * first use, maybe long after the start: those are all in packs of their own, so that a process can have them in time.
 * @param {readonly import('./chunks.js').Chunk[]} chunks
 * @param {readonly (readonly string[])[]} loaded names of chunks in the order each command loaded them
 * @returns {readonly (readonly import('./chunks.js').Chunk[])[]}
 */
export function groupsOf(chunks, loaded) {
  const places = new Map([...new Set(loaded.flat())].map((name, place) => [name, place]))
  const placeOf = (/** @type {string} */ name) => places.get(name) ?? places.size
  /** @type {Map<string, import('./chunks.js').Chunk[]>} */
  const groups = new Map()
  for (const chunk of [...chunks].sort((a, b) => placeOf(a.name) - placeOf(b.name))) {
    if (!places.has(chunk.name) && chunk.isLate !== true) continue
    const key = `${chunk.isLate} ${loaded.map((names) => (names.includes(chunk.name) ? 1 : 0)).join('')}`
    groups.set(key, [...(groups.get(key) ?? []), chunk])
  }
  return [...groups.values()].filter((group) => group.length > 1 || group.some(({ isLate }) => isLate))
}

/**
 * One script that says its chunks by name.
 * @param {readonly import('./chunks.js').Chunk[]} chunks
 * @returns {import('./chunks.js').Chunk}
 */
export function packOf(chunks) {
  const code = `({${chunks.map(({ name, code }) => `${JSON.stringify(name)}:${code.slice(1, -1)}`).join(',\n')}})`
  const folder = chunks.some(({ isLate }) => isLate) ? 'late' : 'packs'
  return { name: `${folder}/${createHash('sha256').update(code).digest('hex').slice(0, 8)}.cjs`, code }
}
