import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the page's files are, seen from a folder above this code: beside the bundle, or among the sources. */
const PLACES = ['static', join('src', 'server', 'static')]

/** A file of the page by its name; `undefined` where this installation has none. */
export async function readStaticFile(name: string): Promise<string | undefined> {
  for (let dir = dirname(fileURLToPath(import.meta.url)); ; dir = dirname(dir)) {
    for (const place of PLACES) {
      const text = await readIfThere(join(dir, place, name))
      if (text !== undefined) return text
    }
    if (dir === dirname(dir)) return undefined
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
