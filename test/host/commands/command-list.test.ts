import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bench, gate } from '../host-bench.js'

test('a word after a slash that is no command is refused, a path is not', async (t) => {
  const { server, open } = await bench(t)
  server.otherwise({ text: 'ok' })
  const thread = await open()
  const refused = await thread.prompt('/nonsense please')
  assert.equal(refused.accepted, false)
  assert.match((refused as { reason: string }).reason, /\/nonsense is no command/)
  const host = await thread.prompt('/model local/x')
  assert.match((host as { reason: string }).reason, /run it as a command/)
  assert.equal(server.requests.length, 0)
  assert.equal(thread.all('settled').length, 0)
  assert.equal(thread.hosted.isBusy(), false)
  await thread.run('/etc/hosts is what?')
  await thread.run(' /nonsense with a space before it')
  assert.equal(server.requests.length, 2)
})

test("an extension's command that starts no run settles once, and one that throws says so", async (t) => {
  const { server, open } = await bench(t, {
    parts: {
      customTools: [],
      extensions: [
        (pi) => {
          pi.registerCommand('quiet', { handler: async () => undefined })
          pi.registerCommand('broken', {
            handler: async () => {
              throw new Error('it broke')
            },
          })
        },
      ],
    },
  })
  const thread = await open()
  await thread.run('/quiet')
  assert.equal(thread.all('settled').length, 1)
  await thread.run('/broken\nwith an argument')
  assert.equal(thread.all('settled').length, 2)
  const [error] = thread.all('extension-error')
  assert.deepEqual(error, {
    kind: 'extension-error',
    extensionPath: 'command:broken',
    event: 'command',
    error: 'it broke',
  })
  assert.equal(server.requests.length, 0)
})

test('skills and templates are commands and expand; the queue and what is taken back are as typed', async (t) => {
  const { server, open, agentDir } = await bench(t)
  mkdirSync(join(agentDir, 'prompts'))
  writeFileSync(join(agentDir, 'prompts', 'fix.md'), '---\ndescription: fix it\n---\nPlease repair $1 with care.')
  mkdirSync(join(agentDir, 'skills', 'poet'), { recursive: true })
  writeFileSync(
    join(agentDir, 'skills', 'poet', 'SKILL.md'),
    '---\nname: poet\ndescription: writes poems\n---\nRhyme always.',
  )
  const held = gate()
  server.enqueue({ deltas: ['a', 'b'], delayUntil: held.opened })
  const thread = await open()
  const commands = thread.hosted.runtime.listCommands()
  assert.ok(commands.some((one) => one.name === 'fix' && one.source === 'prompt' && one.description === 'fix it'))
  assert.ok(commands.some((one) => one.name === 'skill:poet' && one.source === 'skill'))
  await thread.prompt('/fix thing')
  await thread.when('text-delta')
  assert.match(JSON.stringify(server.requests[0]?.body), /Please repair thing with care/)
  await thread.prompt('/skill:poet about rain')
  await thread.prompt({ message: '/fix other', admission: 'interrupt' })
  assert.deepEqual(thread.all('queue').at(-1), {
    kind: 'queue',
    interrupting: ['/fix other'],
    enqueued: ['/skill:poet about rain'],
  })
  const back = thread.hosted.runtime.clearQueue()
  assert.deepEqual(back, { interrupting: ['/fix other'], enqueued: ['/skill:poet about rain'] })
  assert.deepEqual(thread.all('queue').at(-1), { kind: 'queue', interrupting: [], enqueued: [] })
  held.open()
  await thread.when('settled')
  assert.equal(server.requests.length, 1)
})
