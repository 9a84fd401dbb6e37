import { readFileSync, statSync } from 'node:fs'

/** No index that is worked with is larger. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024

/** Where an entry's mode stands, its flags, and its name, where there is no second word of flags. */
const MODE_AT = 24
const FLAGS_AT = 60
const NAME_AT = 62
const EXTENDED = 0x4000
const HEADER_BYTES = 12
const CHECKSUM_BYTES = 20
/** The mode of an entry that is a repository of its own. */
const REPOSITORY_MODE = 0o160000

/**
 * The paths of the repositories that a git index holds as entries; none where there is no index, `undefined` where it
 * can't be looked through (one that is split, packed in a newer way, or torn).
 */
export function nestedRepositories(file: string): readonly string[] | undefined {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return []
  if (!stat.isFile() || stat.size > MAX_INDEX_BYTES) return undefined
  const index = readFileSync(file)
  if (index.length < HEADER_BYTES + CHECKSUM_BYTES || index.toString('latin1', 0, 4) !== 'DIRC') return undefined
  if (![2, 3].includes(index.readUInt32BE(4))) return undefined
  const count = index.readUInt32BE(8)
  const paths: string[] = []
  let at = HEADER_BYTES
  for (let entry = 0; entry < count; entry++) {
    if (at + NAME_AT + 2 > index.length) return undefined
    const nameAt = at + NAME_AT + ((index.readUInt16BE(at + FLAGS_AT) & EXTENDED) === 0 ? 0 : 2)
    const end = index.indexOf(0, nameAt)
    if (end === -1) return undefined
    if (index.readUInt32BE(at + MODE_AT) === REPOSITORY_MODE) paths.push(index.toString('utf8', nameAt, end))
    at += Math.ceil((end - at + 1) / 8) * 8
  }
  // The extension by which most of an index stands in another file.
  return index.toString('latin1', at, at + 4) === 'link' ? undefined : paths
}
