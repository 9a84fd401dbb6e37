import assert from 'node:assert/strict'
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { inRoot } from '../support/root.js'
import { createPlace } from '../support/run-enso.js'

interface Agent {
  readonly name: string
  readonly version: string
  readonly command: string
}

const { installedAgents } = (await import(pathToFileURL(inRoot('scripts/bench/agents/installed.js')).href)) as {
  installedAgents(url: string, home: string, path: string): readonly Agent[]
}

async function program(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, '#!/bin/sh\n')
  await chmod(file, 0o755)
}

/** A node_modules folder with codex as npm puts it there: a launcher, and the program in a package of its own. */
async function installed(t: TestContext): Promise<{ root: string; home: string; modules: string; native: string }> {
  const { root, home } = await createPlace(t)
  const modules = join(root, 'node_modules')
  const launcher = join(modules, '@openai/codex/bin/codex.js')
  const triple = `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-musl`
  const own = join(modules, `@openai/codex-linux-${process.arch}`)
  const native = join(own, 'vendor', triple, 'bin/codex')
  await program(launcher)
  await program(native)
  await writeFile(join(modules, '@openai/codex/package.json'), '{"version":"1.2.3"}')
  await writeFile(join(own, 'package.json'), '{"version":"1.2.3-linux"}')
  await mkdir(join(modules, '.bin'))
  await symlink(launcher, join(modules, '.bin/codex'))
  return { root, home, modules, native }
}

test('an agent on the PATH is measured without its launcher, told of the endpoint in its own home', async (t) => {
  const { home, modules, native } = await installed(t)
  const agents = installedAgents('http://127.0.0.1:9', home, `/nowhere:${join(modules, '.bin')}`)
  assert.deepEqual(
    agents.map(({ name, command, version }) => ({ name, command, version })),
    [{ name: 'codex', command: native, version: '1.2.3-linux' }],
  )
  assert.match(await readFile(join(home, '.codex/config.toml'), 'utf8'), /base_url = "http:\/\/127\.0\.0\.1:9\/v1"/)
})

test('a program of that name that no package has behind it is measured as it is', async (t) => {
  const { root, home } = await createPlace(t)
  await program(join(root, 'bin/claude'))
  await writeFile(join(root, 'package.json'), '{"version":"4.5.6"}')
  const agents = installedAgents('http://127.0.0.1:9', home, join(root, 'bin'))
  assert.deepEqual(
    agents.map(({ command, version }) => ({ command, version })),
    [{ command: join(root, 'bin/claude'), version: '4.5.6' }],
  )
})

test('where none is installed, the benchmark goes on without', async (t) => {
  const { home } = await createPlace(t)
  assert.deepEqual(installedAgents('http://127.0.0.1:9', home, '/nowhere'), [])
})
