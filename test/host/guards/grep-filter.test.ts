import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { withoutSecretLines } from '../../../src/host/extensions/guards/grep-filter.js'
import { createPlainWorld } from './plain-world.js'

test('lines of secret files are left out, matches and context alike, and the rest stays', (t) => {
  const { world } = createPlainWorld(t)
  const text = [
    '.env:1: API_KEY=planted',
    '.env-2- OTHER=planted',
    'apps/web/.env.local:3: KEY=planted',
    '.env.example:1: API_KEY=',
    'src/a.ts:7: process.env.API_KEY',
    'src/a-1-b.ts-8- .env:1: text',
  ].join('\n')
  const kept = withoutSecretLines(text, world.cwd, world)
  assert.ok(kept !== undefined)
  assert.doesNotMatch(kept, /planted/)
  assert.match(kept, /^\.env\.example:1: API_KEY=$/m)
  assert.match(kept, /^src\/a\.ts:7: /m)
  assert.match(kept, /\[3 lines of files that hold credentials left out\]$/)
})

test('a link to a secret file is one, and a search of one file names it by itself', (t) => {
  const { world } = createPlainWorld(t)
  mkdirSync(join(world.cwd, 'docs'))
  writeFileSync(join(world.cwd, '.env'), 'K=planted\n')
  symlinkSync('../.env', join(world.cwd, 'docs/notes.txt'))
  assert.doesNotMatch(withoutSecretLines('docs/notes.txt:1: K=planted', world.cwd, world) ?? 'planted', /planted/)
  assert.doesNotMatch(
    withoutSecretLines('notes.txt:1: K=planted', join(world.cwd, 'docs/notes.txt'), world) ?? 'planted',
    /planted/,
  )
})

test('a result without such lines stays as it is', (t) => {
  const { world } = createPlainWorld(t)
  assert.equal(withoutSecretLines('No matches found', world.cwd, world), undefined)
  assert.equal(withoutSecretLines('src/a.ts:1: x', world.cwd, world), undefined)
})
