import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { before, test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { crc32, deflateSync } from 'node:zlib'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { after } from 'node:test'
import { allowTools, assertEnded, checkedLines, createWorld, extension, LOCAL, observationsOf } from '../support/e2e.js'
import { inRoot } from '../support/root.js'
import { createPlace, type Place, type StartOptions, startProcess } from '../support/run-enso.js'

const run = promisify(execFile)
const MB = 1024 * 1024
/** What packing needs of the checkout. */
const SOURCES = ['src', 'scripts', 'bin', 'demo', 'test/support', 'LICENSE', 'README.md', 'package.json', 'tsconfig.json', 'tsconfig.page.json'] // prettier-ignore

let world = ''
let installed = ''
const npm = (args: readonly string[], cwd: string) =>
  run('npm', [...args, '--no-audit', '--no-fund', '--offline'], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: world },
    maxBuffer: 16 * MB,
  })

before(async () => {
  world = await mkdtemp(join(tmpdir(), 'enso-package-'))
  const [checkout, user] = [join(world, 'checkout'), join(world, 'user')]
  for (const folder of [checkout, user]) mkdirSync(folder)
  for (const path of SOURCES) cpSync(inRoot(path), join(checkout, path), { recursive: true })
  symlinkSync(inRoot('node_modules'), join(checkout, 'node_modules'))
  await npm(['pack', '--pack-destination', world], checkout)
  const tarball = readdirSync(world).find((name) => name.endsWith('.tgz'))
  await npm(['install', join(world, tarball ?? ''), '--ignore-scripts'], user)
  installed = join(user, 'node_modules')
})
after(() => rm(world, { recursive: true, force: true }))

const startInstalled = (t: TestContext, place: Place, args: readonly string[], options: StartOptions = {}) =>
  startProcess(t, join(installed, '.bin/enso'), args, {
    boundMs: 60_000,
    ...options,
    cwd: place.cwd,
    env: { ...place.env, ...options.env },
  })

test('an installation is one package of at most 25 MB, with every licence, and runs nothing when it is installed', () => {
  assert.deepEqual(
    readdirSync(installed).filter((name) => !name.startsWith('.')),
    ['enso'],
  )
  const files = readdirSync(join(installed, 'enso'), { recursive: true }).map((name) =>
    lstatSync(join(installed, 'enso', String(name))),
  )
  const bytes = files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
  assert.ok(bytes <= 25 * MB, `${(bytes / MB).toFixed(1)} MB`)
  const { scripts } = JSON.parse(readFileSync(join(installed, 'enso/package.json'), 'utf8')) as { scripts: object }
  for (const name of ['preinstall', 'install', 'postinstall']) assert.equal(name in scripts, false)
  const notices = readFileSync(join(installed, 'enso/dist/THIRD-PARTY-NOTICES'), 'utf8')
  for (const name of ['@mariozechner/pi-coding-agent', 'preact', 'openai', '@silvia-odwyer/photon-node']) {
    assert.ok(notices.includes(`\n${name} `), name)
  }
})

test('the installed program does the main job, with a question in between, from a question of an extension file', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ deltas: ['Hello', '.'] }, { toolCalls: [{ name: 'ask_things', args: { ask: ['confirm'] } }] }, { text: 'Painted.' }) // prettier-ignore
  const plain = await startInstalled(t, place, [...LOCAL, 'hello']).ended
  assert.deepEqual([plain.exitCode, plain.stdout], [0, 'Hello.\n'], plain.stderr)
  const asked = startInstalled(t, place, ['--json', ...LOCAL, ...extension('asks'), 'paint'], { stdin: 'open' })
  const line = await asked.waitForJson<{ observation?: { dialog?: object; id?: string } }>(
    ({ observation }) => observation?.dialog !== undefined,
  )
  asked.send({ type: 'dialog', id: line.observation?.id, confirmed: true })
  assert.equal(assertEnded(await asked.ended, 'done', 0).text, 'Painted.')
})

test('an extension file of an installation gets the one copy of every library', async (t) => {
  const { place } = await createWorld(t)
  const end = await startInstalled(t, place, ['--json', ...LOCAL, ...extension('libraries'), '/libraries']).ended
  assertEnded(end, 'done', 0)
  const told = observationsOf(checkedLines(end.stdout), 'extension-ui-request').find(
    ({ method }) => method === 'notify',
  )
  const facts = JSON.parse(String(told?.['message'])) as Record<string, unknown>
  assert.deepEqual([facts['oneCopyOfSessions'], facts['oneCopyOfTheTerminal'], facts['waited']], [true, true, 'waited'])
})

test('the installed demo turns red tests green', async (t) => {
  const end = await startInstalled(t, await createPlace(t), ['demo']).ended
  assert.equal(end.exitCode, 0, end.stderr)
  assert.match(end.stdout, /All three tests pass/)
})

test('the installed server answers with the page and runs a thread', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ text: 'Served.' })
  const serving = startInstalled(t, place, ['serve', ...LOCAL, '--port', '0'])
  const address = new URL((await serving.waitForLine(/^listening /)).slice('listening '.length))
  const headers = {
    authorization: `Bearer ${address.hash.slice('#token='.length)}`,
    'content-type': 'application/json',
  }
  const page = await (await fetch(`${address.origin}/`)).text()
  const script = /src="([^"]+\.js)"/.exec(page)?.[1] ?? ''
  assert.equal((await fetch(new URL(script, `${address.origin}/`))).status, 200)
  const follow = await fetch(`${address.origin}/api/threads/package/follow`, { headers })
  const body = JSON.stringify({ message: 'hello' })
  assert.equal(
    (await fetch(`${address.origin}/api/threads/package/prompt`, { method: 'POST', headers, body })).status,
    202,
  )
  let text = ''
  for await (const chunk of follow.body!) {
    text += Buffer.from(chunk).toString('utf8')
    if (text.includes('"settled"')) break
  }
  assert.ok(text.includes('Served.'))
  serving.kill('SIGTERM')
  assert.equal((await serving.ended).exitCode, 143)
})

test('the installed program makes a large picture small enough for a model', async (t) => {
  const { server, place } = await createWorld(t)
  await allowTools(place, 'read')
  await place.write('work/large.png', picture(3000, 40))
  server.enqueue({ toolCalls: [{ name: 'read', args: { path: 'large.png' } }] }, { text: 'Wide.' })
  assertEnded(await startInstalled(t, place, ['--json', ...LOCAL, 'look']).ended, 'done', 0)
  const sent = JSON.stringify(server.requests[1]?.body)
  const data = /data:image\/(png|jpeg);base64,([^"\\]+)/.exec(sent)
  assert.ok(data, sent.slice(-500))
  const bytes = Buffer.from(data[2] ?? '', 'base64')
  if (data[1] === 'png') assert.ok(bytes.readUInt32BE(16) <= 2000, `${bytes.readUInt32BE(16)} pixels wide`)
  assert.equal(existsSync(join(installed, 'enso/dist/chunks/photon_rs_bg.wasm')), true)
})

/** A PNG of one grey. */
function picture(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const rows = Buffer.alloc((width + 1) * height, 128)
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]) // prettier-ignore
}
