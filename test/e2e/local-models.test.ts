import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { assertEnded } from '../support/e2e.js'
import { createPlace, jsonLines, type Place, runEnso } from '../support/run-enso.js'
import { openEnsoTerminal } from '../support/terminal.js'

/** A model server as Ollama's looks: it lists one model and answers with a few words. */
async function startLocalServer(t: TestContext) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    request.resume()
    if (request.url === '/v1/models') {
      response.writeHead(200, { 'content-type': 'application/json' })
      return response.end(JSON.stringify({ object: 'list', data: [{ id: 'tiny:1b' }] }))
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const chunk = (delta: object, finish: string | null): string =>
      `data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 1, model: 'tiny:1b', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
    response.end(
      `${chunk({ role: 'assistant', content: 'Hello from here.' }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`,
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    env: { ENSO_LOCAL_SERVERS: `ollama=${port}` },
    chats: () => asked.filter((path) => path.endsWith('/chat/completions')).length,
    looks: () => asked.filter((path) => path === '/v1/models').length,
  }
}

const configOf = (place: Place): Record<string, unknown> =>
  existsSync(join(place.ensoHome, 'config.json'))
    ? (JSON.parse(readFileSync(join(place.ensoHome, 'config.json'), 'utf8')) as Record<string, unknown>)
    : {}

test('where nobody can be asked a server of this machine is named and not used', async (t) => {
  const local = await startLocalServer(t)
  const place = await createPlace(t)
  const result = assertEnded(await runEnso(t, place, ['--json', 'hello'], { env: local.env }), 'provider', 5)
  assert.match(
    result.hint ?? '',
    new RegExp(`Ollama at 127\\.0\\.0\\.1:${local.port} answers.*enso models --local --use`),
  )
  const text = await runEnso(t, place, ['hello'], { env: local.env })
  assert.equal(text.exitCode, 5)
  assert.match(text.stderr, /enso models --local --use/)
  assert.deepEqual([local.chats(), configOf(place)], [0, {}])
})

test('yes to one question uses it, now and from then on, without looking again', async (t) => {
  const local = await startLocalServer(t)
  const place = await createPlace(t)
  const terminal = await openEnsoTerminal(t, place, ['hello'], { env: local.env })
  await terminal.waitFor('Use it from now on?')
  assert.equal(local.chats(), 0)
  await terminal.press('Down', 'Enter')
  await terminal.waitFor('Hello from here.')
  assert.equal(await terminal.exitCode(), 0)
  assert.match(await terminal.all(), /Ollama answers at 127\.0\.0\.1:\d+/)
  assert.deepEqual(configOf(place), {
    localServer: { kind: 'ollama', url: `http://127.0.0.1:${local.port}/v1`, model: 'tiny:1b' },
  })
  const looks = local.looks()
  const again = assertEnded(await runEnso(t, place, ['--json', 'again'], { env: local.env }), 'done', 0)
  assert.deepEqual([again.text, local.looks() - looks], ['Hello from here.', 0])
  const models = await runEnso(t, place, ['models', '--json'], { env: local.env })
  assert.ok(jsonLines(models.stdout).some(({ provider, id }) => provider === 'ollama' && id === 'tiny:1b'))
})

test('in a conversation the question comes with the first prompt, and the next prompt just goes on', async (t) => {
  const local = await startLocalServer(t)
  const place = await createPlace(t)
  const terminal = await openEnsoTerminal(t, place, [], { env: local.env })
  await terminal.waitFor(/^›/m)
  await terminal.type('hello')
  await terminal.press('Enter')
  await terminal.waitFor('Use it from now on?')
  await terminal.press('Down', 'Enter')
  await terminal.waitFor(/Hello from here\.\n[^]*\n›/)
  await terminal.type('again')
  await terminal.press('Enter')
  await terminal.waitFor(/Hello from here\.\n[^]*Hello from here\.\n[^]*\n›/)
  await terminal.press('C-d')
  assert.equal(await terminal.exitCode(), 0)
  assert.equal(local.chats(), 2)
})

test('a no in a conversation refuses the prompt and keeps it; the person may log in instead', async (t) => {
  const local = await startLocalServer(t)
  const place = await createPlace(t)
  const terminal = await openEnsoTerminal(t, place, [], { env: local.env })
  await terminal.waitFor(/^›/m)
  await terminal.type('hello')
  await terminal.press('Enter')
  await terminal.waitFor('Use it from now on?')
  await terminal.press('Enter')
  await terminal.waitFor(/there is no model with credentials: \/login stores a key[^]*\n›/)
  await terminal.press('C-u')
  await terminal.type('/login openai/api_key')
  await terminal.press('Enter')
  await terminal.waitFor('API key for')
  await terminal.type('sk-none-0123456789')
  await terminal.press('Enter')
  await terminal.waitFor('Which model should this thread use?')
  await terminal.press('Enter')
  await terminal.waitFor(/model: openai\//)
  await terminal.press('C-d')
  await terminal.exitCode()
  assert.deepEqual([local.chats(), 'localServer' in configOf(place)], [0, false])
})

test('no, Enter and Ctrl-C use nothing and remember nothing', async (t) => {
  const local = await startLocalServer(t)
  const place = await createPlace(t)
  for (const [key, exitCode] of [
    ['Enter', 5],
    ['Escape', 5],
    ['C-c', 130],
  ] as const) {
    const terminal = await openEnsoTerminal(t, place, ['hello'], { env: local.env })
    await terminal.waitFor('Use it from now on?')
    await terminal.press(key)
    assert.equal(await terminal.exitCode(), exitCode, key)
  }
  assert.deepEqual([local.chats(), configOf(place)], [0, {}])
})

test('enso models --local lists and agrees without a question; a key of a provider goes before it', async (t) => {
  const local = await startLocalServer(t)
  const place = await createPlace(t)
  const listed = await runEnso(t, place, ['models', '--local'], { env: local.env })
  assert.equal(listed.stdout, `ollama/tiny:1b  Ollama at 127.0.0.1:${local.port}\n`)
  const wrong = await runEnso(t, place, ['models', '--local', '--use', 'huge'], { env: local.env })
  assert.equal(wrong.exitCode, 2)
  assert.deepEqual(configOf(place), {})
  const used = await runEnso(t, place, ['models', '--local', '--use'], { env: local.env })
  assert.equal(used.exitCode, 0, used.stderr)
  assertEnded(await runEnso(t, place, ['--json', 'hello'], { env: local.env }), 'done', 0)
  const env = { ...local.env, ANTHROPIC_API_KEY: 'sk-ant-none' }
  const dry = await runEnso(t, place, ['models', '--json', 'sonnet'], { env })
  assert.ok(jsonLines(dry.stdout).length > 0)
  const none = await runEnso(t, place, ['models', '--local', '--use'], { env: { ENSO_LOCAL_SERVERS: 'off' } })
  assert.equal(none.exitCode, 5)
})

test('a run that has a model looks for nothing', async (t) => {
  const local = await startLocalServer(t)
  const place = await createPlace(t)
  const script = await place.write('script.json', JSON.stringify({ version: 1, turns: [{ text: 'ok' }] }))
  assertEnded(await runEnso(t, place, ['--json', '--script', script, 'hello'], { env: local.env }), 'done', 0)
  assert.equal(local.looks(), 0)
})
