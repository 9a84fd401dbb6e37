import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot } from '../../test/support/root.js'

/** Every Markdown page of the project, relative to its root. */
export function pages(): string[] {
  const docs = readdirSync(inRoot('docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !file.includes('node_modules'))
    .map((file) => join('docs', file))
  return ['README.md', ...docs.sort()]
}
