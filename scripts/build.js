// Builds dist/: enso and everything it loads in one bundle, split so that a command loads only what it uses, and the
// browser page.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { buildPage } from './build-page.js'
import { buildName, chunksOf } from './bundle/chunks.js'
import { groupsOf, packOf } from './bundle/packs.js'
import { noticesOf } from './bundle/notices.js'
import { buildProgram, commonOptions } from './bundle/program.js'

/** Files of an earlier build stay this long (milliseconds): a program started from it goes on finding them. */
const STALE_AFTER_MS = 10 * 60_000

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')

/** @param {string} name @param {string | Uint8Array} content of one-byte characters, where it is text */
function put(name, content) {
  const file = join(dist, name)
  mkdirSync(dirname(file), { recursive: true })
  // Whoever starts the program meanwhile finds the old file or the new one.
  writeFileSync(`${file}.${process.pid}`, content, 'latin1')
  renameSync(`${file}.${process.pid}`, file)
  return file
}

const program = await buildProgram(root, dist)
const chunks = await chunksOf(program, root, dist)
const entry = chunks.find(({ name }) => name.startsWith('compose-'))
if (!entry) throw new Error('the bundle has no entry')
const name = buildName(chunks)

/** The first code that runs. @param {readonly { name: string, chunks: readonly string[] }[]} packs */
async function starterOf(packs) {
  const { outputFiles } = await build({
    ...commonOptions(root),
    entryPoints: ['src/start/start.ts'],
    format: 'cjs',
    define: {
      ENSO_ENTRY: JSON.stringify(entry?.name),
      ENSO_BUILD: JSON.stringify(name),
      ENSO_PACKS: JSON.stringify(Object.fromEntries(packs.map(({ name, chunks }) => [name, chunks]))),
    },
  })
  return outputFiles[0]?.text ?? ''
}

const page = await buildPage()
const made = new Set([
  ...page.files.map((file) => join(root, file)),
  ...chunks.map(({ name, code }) => put(name, code)),
  put(
    'chunks/photon_rs_bg.wasm',
    readFileSync(join(root, 'node_modules/@silvia-odwyer/photon-node/photon_rs_bg.wasm')),
  ),
  put('THIRD-PARTY-NOTICES', Buffer.from(noticesOf([program.metafile, page.metafile], root))),
  // The last of all: it names the others.
  put('start.cjs', await starterOf([])),
])
for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name)
  if (!entry.isFile() || made.has(file) || entry.name.startsWith(name)) continue
  if (statSync(file).mtimeMs < Date.now() - STALE_AFTER_MS) rmSync(file)
}

/**
 * Puts the chunks that the same commands load into one file for each group.
 * @param {readonly (readonly string[])[]} loaded names of chunks in the order each command loaded them
 */
export async function pack(loaded) {
  const packs = groupsOf(chunks, loaded).map((group) => {
    const { name, code } = packOf(group)
    put(name, code)
    return { name, chunks: group.map((chunk) => chunk.name) }
  })
  put('start.cjs', await starterOf(packs))
  // Here a program that was started before may still look for them.
  if (/^(?:pack|publish)$/.test(process.env['npm_command'] ?? ''))
    for (const { chunks } of packs) for (const chunk of chunks) rmSync(join(dist, chunk))
}
