import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { allowTools, assertEnded, createWorld, LOCAL, resultOf } from '../support/e2e.js'
import { runShell, withEnsoOnPath } from '../support/enso-on-path.js'
import { blocksOf } from '../support/page-blocks.js'
import { createPlace, jsonLines, runEnso } from '../support/run-enso.js'
import { openEnsoTerminal } from '../support/terminal.js'

const bash = (command: string) => ({ toolCalls: [{ name: 'bash', args: { command } }] })

test('a model of the environment counts before the file, a flag before both', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'hi' })
  await place.write('home/.enso/config.json', JSON.stringify({ defaultModel: 'local/x' }))
  const models = async (args: readonly string[], env: Record<string, string>) => {
    await runEnso(t, place, [...args, 'hello'], { env })
    return (server.requests.at(-1)!.body as { model: string }).model
  }
  assert.equal(await models([], {}), 'x')
  assert.equal(await models([], { ENSO_MODEL: 'local/think' }), 'think')
  assert.equal(await models(['-m', 'local/x'], { ENSO_MODEL: 'local/think' }), 'x')
})

test('mode, sandbox and log level of the environment are in force in a run', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ toolCalls: [{ name: 'write', args: { path: 'made.txt', content: 'x' } }] }, { text: 'done' })
  const env = { ENSO_MODE: 'plan', ENSO_LOG_LEVEL: 'debug' }
  const end = await runEnso(t, place, ['--json', ...LOCAL, 'make it'], { env })
  assert.deepEqual(resultOf(end).denials, { 'permission-mode': 1 })
  assert.equal(existsSync(join(place.cwd, 'made.txt')), false)
  const logged = await runEnso(t, place, ['logs', '--json', '--level', 'debug'])
  assert.ok(jsonLines(logged.stdout).some(({ level }) => level === 'DEBUG'))
  const refused = await runEnso(t, place, ['--json', ...LOCAL, 'hello'], { env: { ENSO_SANDBOX: 'maybe' } })
  assert.match(assertEnded(refused, 'usage', 2).reason ?? '', /ENSO_SANDBOX=maybe/)
})

test('a broken config.json starts nothing, and names line and column', async (t) => {
  const { server, place } = await createWorld(t)
  await place.write('home/.enso/config.json', '{\n  "defaultMode": "plan",\n  "permisions": { "deny": ["bash"] }\n}')
  const end = await runEnso(t, place, ['--json', ...LOCAL, 'hello'])
  const { reason } = assertEnded(end, 'usage', 2)
  assert.match(reason ?? '', /config\.json: line 3, column 3: unknown key permisions \(did you mean permissions\?\)/)
  assert.equal(server.requests.length, 0)
})

test('config set and get over the built program; the file is private', async (t) => {
  const { place } = await createWorld(t)
  assert.equal((await runEnso(t, place, ['config', 'set', 'defaultModel', 'local/x'])).exitCode, 0)
  assert.equal((await runEnso(t, place, ['config', 'get', 'defaultModel'])).stdout, 'local/x\n')
  assert.equal(statSync(join(place.ensoHome, 'config.json')).mode & 0o777, 0o600)
  const shown = await runEnso(t, place, ['config', '-m', 'local/think'])
  assert.match(shown.stdout, /^ {2}defaultModel +local\/think +--model$/m)
})

test('config edit on a terminal keeps what is a configuration and refuses what is none', async (t) => {
  const { place } = await createWorld(t)
  const editor = async (text: string): Promise<Readonly<Record<string, string>>> => {
    const file = await place.write('editor.sh', `#!/bin/sh\nprintf '%s' '${text}' > "$1"\n`)
    chmodSync(file, 0o755)
    return { EDITOR: file }
  }
  const edit = async (text: string) => {
    const env = { ...place.env, ...(await editor(text)) }
    const terminal = await openEnsoTerminal(t, { ...place, env }, ['config', 'edit'])
    return { code: await terminal.exitCode(), screen: await terminal.all() }
  }
  assert.equal((await edit('{"color":"never"}')).code, 0)
  const file = join(place.ensoHome, 'config.json')
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { color: 'never' })
  const refused = await edit('{"colour":"never"}')
  assert.equal(refused.code, 2)
  assert.match(refused.screen, /unknown key colour/)
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { color: 'never' })
  assert.equal(readFileSync(`${file}.rejected`, 'utf8'), '{"colour":"never"}')
})

test('--append-system-prompt stands at the end of what the model is told', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ text: 'hi' })
  await runEnso(t, place, [...LOCAL, '--append-system-prompt', 'Speak like a pirate.', 'hello'])
  const [system] = (server.requests[0]!.body as { messages: readonly { content: unknown }[] }).messages
  assert.match(JSON.stringify(system), /Speak like a pirate\./)
})

test('--allow-tool and --deny-tool are rules of one start; a denial counts before', async (t) => {
  const { server, place } = await createWorld(t)
  const run = async (...flags: string[]) => {
    server.enqueue(bash('touch made.txt'), { text: 'done' })
    return resultOf(await runEnso(t, place, ['--json', ...LOCAL, ...flags, 'make it'])).denials
  }
  assert.deepEqual(await run(), { 'permission-mode': 1 })
  assert.deepEqual(await run('--allow-tool', 'bash(touch *)'), {})
  assert.ok(existsSync(join(place.cwd, 'made.txt')))
  await allowTools(place, 'bash')
  assert.deepEqual(await run('--deny-tool', 'bash(touch *)'), { 'permission-rule': 1 })
  const bad = await runEnso(t, place, ['--json', ...LOCAL, '--deny-tool', 'bash(', 'x'])
  assert.match(assertEnded(bad, 'usage', 2).reason ?? '', /'bash\(' is not a rule/)
})

test('--add-dir lets one more folder be written, and no other', async (t) => {
  const { server, place } = await createWorld(t)
  await allowTools(place, 'write')
  // Outside of the system's temporary folder, which may be written anyway.
  const outside = mkdtempSync('/var/tmp/enso-test-')
  t.after(() => rmSync(outside, { recursive: true, force: true }))
  const [more, other] = [join(outside, 'more'), join(outside, 'other')]
  for (const folder of [more, other]) mkdirSync(folder)
  const write = (path: string) => ({ toolCalls: [{ name: 'write', args: { path, content: 'x' } }] })
  server.enqueue(write(join(more, 'a.txt')), write(join(other, 'a.txt')), { text: 'done' })
  const end = await runEnso(t, place, ['--json', ...LOCAL, '--add-dir', more, 'write both'])
  assert.deepEqual(resultOf(end).denials, { 'write-confinement': 1 })
  assert.deepEqual([existsSync(join(more, 'a.txt')), existsSync(join(other, 'a.txt'))], [true, false])
})

test('-q leaves the reply on standard output and nothing on standard error', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue(bash('echo out'), { text: 'the reply' })
  await allowTools(place, 'bash')
  const end = await runEnso(t, place, ['-q', ...LOCAL, 'hello'])
  assert.deepEqual([end.exitCode, end.stdout, end.stderr], [0, 'the reply\n', ''])
  server.enqueue({ status: 401 })
  const failed = await runEnso(t, place, ['-q', ...LOCAL, 'hello'])
  assert.equal(failed.exitCode, 5)
  assert.match(failed.stderr, /provider/)
})

test('every command of the configuration’s page works as it stands there', async (t) => {
  const place = await withEnsoOnPath(await createPlace(t))
  const blocks = blocksOf('docs/guide/configure.md', 'sh')
  assert.equal(blocks.length, 3)
  for (const block of blocks) {
    const end = await runShell(t, place, block)
    assert.deepEqual([end.exitCode, end.stderr], [0, ''], block)
  }
  const file = join(place.ensoHome, 'config.json')
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { defaultModel: 'local/x' })
  assert.ok(existsSync(join(place.ensoHome, 'config.schema.json')))
})
