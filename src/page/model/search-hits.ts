/** One line that was found; `isMatch` is false for a line around it. */
export interface SearchHit {
  readonly line: string
  readonly text: string
  readonly isMatch: boolean
}

/** The hits in one file. */
export interface FileHits {
  readonly path: string
  readonly hits: readonly SearchHit[]
}

const HIT = /^(.+?):(\d+): (.*)$/
const AROUND = /^(.+?)-(\d+)- (.*)$/

/** A search's text by file. Lines that are no hits (what was left out) are `notes`. */
export function searchHits(text: string): { readonly files: readonly FileHits[]; readonly notes: readonly string[] } {
  const files = new Map<string, SearchHit[]>()
  const notes: string[] = []
  for (const line of text.split('\n')) {
    const hit = HIT.exec(line)
    const [, path, number = '', found = ''] = hit ?? AROUND.exec(line) ?? []
    if (path === undefined) {
      if (line.trim() !== '' && line !== '--') notes.push(line)
      continue
    }
    const hits = files.get(path)
    const one = { line: number, text: found, isMatch: hit !== null }
    if (hits === undefined) files.set(path, [one])
    else hits.push(one)
  }
  return { files: [...files].map(([path, hits]) => ({ path, hits })), notes }
}
