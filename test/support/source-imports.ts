import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { inRoot } from './root.js'

/** One import of one source file: a package's name, or a path relative to the root. */
export interface SourceImport {
  readonly from: string
  readonly to: string
  readonly relative: boolean
  /** Loaded when the code comes to it, and not with the file. */
  readonly lazy: boolean
}

const IMPORT = /(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)(['"])([^'"]+)\1/gm

/** Every TypeScript source file below a folder, relative to the root. */
export function sourceFiles(folder = 'src'): string[] {
  return readdirSync(inRoot(folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file))
    .sort()
}

/** Every static and dynamic import, read from the source text and not from a build. */
export function importsOf(file: string): SourceImport[] {
  const text = readFileSync(inRoot(file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  return [...text.matchAll(IMPORT)].map(([whole, , target = '']) => {
    const relative = target.startsWith('.')
    return {
      from: file,
      to: relative ? normalize(join(dirname(file), target)) : target,
      relative,
      lazy: whole.includes('('),
    }
  })
}
