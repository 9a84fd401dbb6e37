import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

/** One file of the page, ready to be sent. */
export interface PageFile {
  readonly contentType: string
  readonly bytes: Uint8Array
  /** The same, packed. */
  readonly gzipped: () => Uint8Array
  /** Its name changes with its content, so a browser may keep it. */
  readonly isKept: boolean
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/** Where the built page is, seen from a folder above this code: beside the bundle, or from the sources. */
const PLACES = ['page', join('dist', 'page')]

/**
 * The page's files by their names; none where it was not built. A name that somebody asks for is looked up here, so no
 * path is ever made of it.
 */
export async function readPageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const folder = await pageFolder()
  const files = new Map<string, PageFile>()
  for (const name of folder === undefined ? [] : await readdir(folder)) {
    const contentType = CONTENT_TYPES[name.split('.').at(-1) ?? '']
    if (contentType === undefined) continue
    const bytes = await readFile(join(folder!, name))
    let packed: Uint8Array | undefined
    files.set(name, {
      contentType,
      bytes,
      gzipped: () => (packed ??= gzipSync(bytes)),
      isKept: name !== 'index.html',
    })
  }
  return files
}

async function pageFolder(): Promise<string | undefined> {
  for (let dir = dirname(fileURLToPath(import.meta.url)); dir !== dirname(dir); dir = dirname(dir)) {
    for (const place of PLACES) {
      const folder = join(dir, place)
      // The page's sources have an index.html too; only the built page has a script named after its content.
      if ((await namesIn(folder)).some((name) => /^main-\w+\.js$/.test(name))) return folder
    }
  }
  return undefined
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}
