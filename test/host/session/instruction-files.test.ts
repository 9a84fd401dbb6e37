import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { INSTRUCTIONS_MAX_BYTES, instructionFiles } from '../../../src/host/session/instruction-files.js'
import { bench } from '../host-bench.js'

test("instruction files are the person's own and those of every folder down to the workspace, one a folder", async (t) => {
  const { root, agentDir } = await bench(t)
  const cwd = join(root, 'outer', 'inner')
  mkdirSync(cwd, { recursive: true })
  writeFileSync(join(agentDir, 'AGENTS.md'), 'own')
  writeFileSync(join(root, 'outer', 'CLAUDE.md'), 'outer')
  writeFileSync(join(cwd, 'CLAUDE.md'), 'second')
  writeFileSync(join(cwd, 'AGENTS.md'), 'first')
  const notes: string[] = []
  const found = instructionFiles({ cwd, agentDir }, (text) => notes.push(text))
  assert.deepEqual(
    found.map(({ content }) => content),
    ['own', 'outer', 'first'],
  )
  assert.deepEqual(notes, [])
})

test("a repository's instruction file that leads to the person's files, to a device or to nothing that ends is left out", async (t) => {
  const { server, open, root, cwd } = await bench(t)
  writeFileSync(join(root, 'id_rsa'), 'PRIVATE-KEY-TEXT')
  for (const [name, target] of [
    ['AGENTS.md', '/proc/self/environ'],
    ['AGENTS.MD', '/dev/zero'],
    ['CLAUDE.md', join(root, 'id_rsa')],
  ] as const) {
    symlinkSync(target, join(cwd, name))
  }
  server.enqueue({ text: 'ok' })
  const thread = await open()
  await thread.run('hello')
  const sent = JSON.stringify(server.requests[0]?.body)
  assert.doesNotMatch(sent, /PRIVATE-KEY-TEXT|PATH=/)
  assert.equal(
    thread.hosted.notes.filter((text) => text.includes('a link to something else outside its folder')).length,
    3,
  )
})

test('an instruction file that is a pipe or larger than instructions are is left out, and the next name counts', async (t) => {
  const { agentDir, cwd } = await bench(t)
  execFileSync('mkfifo', [join(cwd, 'AGENTS.md')])
  writeFileSync(join(cwd, 'AGENTS.MD'), 'x'.repeat(INSTRUCTIONS_MAX_BYTES + 1))
  writeFileSync(join(cwd, 'CLAUDE.md'), 'fine')
  const notes: string[] = []
  const found = instructionFiles({ cwd, agentDir }, (text) => notes.push(text))
  assert.deepEqual(
    found.map(({ content }) => content),
    ['fine'],
  )
  assert.match(notes.join('\n'), /no ordinary file[^]*larger than 256 KiB/)
})

test('a link to another such text, inside the folder or out of it, is followed', async (t) => {
  const { agentDir, root, cwd } = await bench(t)
  writeFileSync(join(root, 'shared.md'), 'shared')
  symlinkSync(join(root, 'shared.md'), join(cwd, 'AGENTS.md'))
  assert.deepEqual(
    instructionFiles({ cwd, agentDir }, assert.fail).map(({ content }) => content),
    ['shared'],
  )
})
