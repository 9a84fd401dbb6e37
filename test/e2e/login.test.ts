import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertEnded, createWorld, LOCAL } from '../support/e2e.js'
import { ACCESS_TOKEN, rerouteCode, startOAuthStub, USER_CODE } from '../support/oauth-stub.js'
import { createPlace, runEnso, startEnso } from '../support/run-enso.js'
import { openEnsoTerminal } from '../support/terminal.js'

const KEY = 'sk-typed-9876543210-abcdef'

/** Every file under a folder that holds a text. */
function filesHolding(root: string, text: string): string[] {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text))
}

test('a key is typed masked, used for the next run, and lies in no file but the one for it', async (t) => {
  const { server, place } = await createWorld(t)
  const terminal = await openEnsoTerminal(t, place, ['login', 'local'])
  await terminal.waitFor('API key for local')
  await terminal.type(KEY)
  await terminal.press('Enter')
  await terminal.waitFor('the API key for local is stored')
  assert.equal(await terminal.exitCode(), 0)
  assert.equal((await terminal.all()).includes(KEY), false)

  server.otherwise({ text: 'hello' })
  const run = await runEnso(t, place, ['--json', '--log-level', 'trace', ...LOCAL, 'hello'])
  assert.equal(run.exitCode, 0, run.stderr)
  assert.equal(server.requests[0]?.headers.authorization, `Bearer ${KEY}`)
  assert.equal((run.stdout + run.stderr).includes(KEY), false)
  const auth = join(place.agentDir, 'auth.json')
  assert.deepEqual(filesHolding(place.root, KEY), [auth])
  assert.equal(statSync(auth).mode & 0o777, 0o600)

  const out = await runEnso(t, place, ['logout', 'local'])
  assert.deepEqual([out.exitCode, out.stdout.includes('gone')], [0, true])
  assert.deepEqual(filesHolding(place.root, KEY), [])
  const again = await runEnso(t, place, ['logout', 'local'])
  assert.equal(again.exitCode, 2)
  assert.match(again.stderr, /no credentials are stored for 'local'/)
})

test('/login in a conversation takes a key just as privately, and the thread goes on with it', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'Hi there.' })
  const terminal = await openEnsoTerminal(t, place, [...LOCAL])
  await terminal.waitFor(/^›/m)
  await terminal.type('hello')
  await terminal.press('Enter')
  await terminal.waitFor(/Hi there\.\n+.* turn.*\n+›/)
  await terminal.type('/login local/api_key')
  await terminal.press('Enter')
  await terminal.waitFor('API key for local')
  await terminal.type(KEY)
  await terminal.press('Enter')
  await terminal.waitFor(/API key for local is stored[^]*›/)
  await terminal.type('and now?')
  await terminal.press('Enter')
  await terminal.waitFor(/Hi there\.[^]*Hi there\.\n+.* turn.*\n+›/)
  await terminal.press('C-d')
  assert.equal(await terminal.exitCode(), 0)
  assert.equal(server.requests.at(-1)?.headers.authorization, `Bearer ${KEY}`)
  assert.equal((await terminal.all()).includes(KEY), false)
  assert.deepEqual(filesHolding(place.root, KEY), [join(place.agentDir, 'auth.json')])
})

test('a provider is found by typing a part of its name; Esc and Ctrl-C leave without a word stored', async (t) => {
  const { place } = await createWorld(t)
  const terminal = await openEnsoTerminal(t, place, ['login'])
  await terminal.waitFor('Log in to which provider?')
  await terminal.type('loca')
  await terminal.waitFor('local (API key)')
  await terminal.press('Enter')
  await terminal.waitFor('API key for local')
  await terminal.press('Escape')
  await terminal.waitFor('the login was cancelled')
  assert.equal(await terminal.exitCode(), 1)

  const stopped = await openEnsoTerminal(t, place, ['login', 'local'])
  await stopped.waitFor('API key for local')
  await stopped.type('half a k')
  await stopped.press('C-c')
  assert.equal(await stopped.exitCode(), 130)
  assert.equal(readFileSync(join(place.agentDir, 'auth.json'), 'utf8'), '{}')
})

test('a key that can’t be one is refused by what is wrong with it, not by what it is', async (t) => {
  const { place } = await createWorld(t)
  const terminal = await openEnsoTerminal(t, place, ['login', 'local'])
  await terminal.waitFor('API key for local')
  await terminal.type('!touch owned')
  await terminal.press('Enter')
  await terminal.waitFor('would be run as a command')
  assert.equal(await terminal.exitCode(), 2)
  assert.doesNotMatch(await terminal.all(), /touch owned/)
})

test('an account by device code: what to open and which code is on the screen until it is done', async (t) => {
  const stub = await startOAuthStub(t)
  const place = await createPlace(t)
  const preload = await place.write('preload.mjs', rerouteCode(stub.url))
  const env = { NODE_OPTIONS: `--import file://${preload}` }
  const terminal = await openEnsoTerminal(t, place, ['login', 'github-copilot'], { env })
  await terminal.waitFor('GitHub Enterprise')
  await terminal.press('Enter')
  await terminal.waitFor(new RegExp(`github\\.com/login/device[^]*${USER_CODE}`))
  stub.approve()
  await terminal.waitFor('logged in to GitHub Copilot')
  assert.equal(await terminal.exitCode(), 0)
  assert.deepEqual(filesHolding(place.root, ACCESS_TOKEN), [join(place.agentDir, 'auth.json')])
})

test('Ctrl-C while a device code waits ends the login', async (t) => {
  const stub = await startOAuthStub(t)
  const place = await createPlace(t)
  const preload = await place.write('preload.mjs', rerouteCode(stub.url))
  const env = { NODE_OPTIONS: `--import file://${preload}` }
  const terminal = await openEnsoTerminal(t, place, ['login', 'github-copilot'], { env })
  await terminal.waitFor('GitHub Enterprise')
  await terminal.press('Enter')
  await terminal.waitFor(USER_CODE)
  await terminal.press('C-c')
  assert.equal(await terminal.exitCode(), 130)
  assert.equal(filesHolding(place.root, ACCESS_TOKEN).length, 0)
})

test('where there is no terminal, or no such provider, a login is a usage error that says what to do', async (t) => {
  const place = await createPlace(t)
  const alone = await startEnso(t, place, ['login', 'anthropic']).ended
  assert.equal(alone.exitCode, 2)
  assert.match(alone.stderr, /no terminal[^]*environment/)
  const terminal = await openEnsoTerminal(t, place, ['login', 'antropic'])
  await terminal.waitFor('did you mean anthropic?')
  assert.equal(await terminal.exitCode(), 2)
  const none = await runEnso(t, place, ['logout'])
  assert.deepEqual([none.exitCode, none.stderr], [0, 'no credentials are stored\n'])
})

test('stored credentials that can’t be read are said, and stay as they are', async (t) => {
  const { place, server } = await createWorld(t)
  const torn = '{"openai":{"type":"api_key","key":"k'
  await place.write('home/.enso/agent/auth.json', torn)
  const auth = join(place.agentDir, 'auth.json')
  const run = await runEnso(t, place, ['--json', ...LOCAL, 'hello'])
  const result = assertEnded(run, 'usage', 2)
  assert.match(result.reason ?? '', /the stored credentials can't be read: .*auth\.json/)
  assert.equal(server.requests.length, 0)
  const doctor = await runEnso(t, place, ['doctor'])
  assert.match(doctor.stdout, /the stored credentials can't be read/)
  const out = await runEnso(t, place, ['logout', 'openai'])
  assert.deepEqual([out.exitCode, readFileSync(auth, 'utf8')], [2, torn])
})
