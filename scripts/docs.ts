// Brings every fence and generated table of the pages up to date with the source: `npm run docs`.
import { readFileSync, writeFileSync } from 'node:fs'
import { inRoot } from '../test/support/root.js'
import { refreshFences } from './docs/fences.js'
import { pages } from './docs/pages.js'
import { refreshTables } from './docs/tables.js'

for (const page of pages()) {
  const before = readFileSync(inRoot(page), 'utf8')
  const after = refreshTables(refreshFences(before))
  if (after === before) continue
  writeFileSync(inRoot(page), after)
  console.log(`refreshed ${page}`)
}
