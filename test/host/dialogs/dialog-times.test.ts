import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { inRoot } from '../../support/root.js'
import { bench } from '../host-bench.js'

test('a question asked as the session starts can be answered before the first prompt, which waits for it', async (t) => {
  const answers: unknown[] = []
  const { server, open } = await bench(t, {
    parts: {
      customTools: [],
      extensions: [
        (pi) => {
          pi.on('session_start', async (_event, ctx) => {
            ctx.ui.notify('hello from the start')
            answers.push(await ctx.ui.confirm('Ready?', ''))
          })
        },
      ],
    },
  })
  server.otherwise({ text: 'ok' })
  const thread = await open({ unsubscribed: true })
  const { runtime } = thread.hosted
  assert.equal(runtime.openDialogs().length, 1)
  const kinds: string[] = []
  const settled = new Promise<void>((resolve) => {
    runtime.subscribe((one) => {
      if (one.kind === 'extension-ui-request') kinds.push(`${one.method}:${one.origin}`)
      if (one.kind === 'settled') resolve()
    })
  })
  assert.deepEqual(kinds, ['notify:session-start', 'confirm:session-start'])
  runtime.prompt({ message: 'go' }, { onAccepted: () => undefined, onRejected: () => undefined })
  assert.equal(server.requests.length, 0)
  runtime.answerDialog({ id: runtime.openDialogs()[0]!.id, confirmed: true })
  await settled
  assert.deepEqual(answers, [true])
  assert.equal(server.requests.length, 1)
})

test('what was said before the first subscriber came is replayed to it alone, and recorded as such', async (t) => {
  const { open } = await bench(t, {
    parts: {
      customTools: [],
      extensions: [(pi) => pi.on('session_start', (_event, ctx) => ctx.ui.notify('early'))],
    },
  })
  const thread = await open({ unsubscribed: true })
  const first: string[] = []
  const second: string[] = []
  thread.hosted.runtime.subscribe((one) => void first.push(one.kind))
  thread.hosted.runtime.subscribe((one) => void second.push(one.kind))
  assert.ok(first.includes('extension-ui-request'))
  assert.deepEqual(second, [])
  const rows = thread.hosted.events().filter((one) => one.type === 'extension-ui-request')
  assert.deepEqual(
    rows.map(({ provenance, name }) => ({ provenance, name })),
    [
      { provenance: 'held', name: 'notify' },
      { provenance: 'replayed', name: 'notify' },
    ],
  )
})

test('a question asked inside a message handler can be answered, although it holds up the events', async (t) => {
  const { server, open } = await bench(t, {
    parts: {
      customTools: [],
      extensions: [
        (pi) => {
          pi.on('message_end', async ({ message }, ctx) => {
            if (message.role === 'assistant') await ctx.ui.confirm('Keep it?', '')
          })
        },
      ],
    },
  })
  server.enqueue({ text: 'a reply' })
  const thread = await open()
  const done = thread.run('hello')
  const { id } = await thread.when('extension-ui-request')
  assert.equal(thread.all('settled').length, 0)
  assert.equal(thread.hosted.isBusy(), true)
  thread.hosted.runtime.answerDialog({ id, confirmed: true })
  await done
  assert.equal(thread.all('message-end').filter((one) => one.role === 'assistant').length, 1)
})

test('the process stays alive while somebody is asked and nothing else keeps it', async (t) => {
  const { agentDir, cwd } = await bench(t)
  const script = `${cwd}/ask.mts`
  writeFileSync(
    script,
    `
    import { createAgentHost } from ${JSON.stringify(inRoot('src/host/agent-host.ts'))}
    const host = createAgentHost({
      agentDir: ${JSON.stringify(agentDir)},
      env: {},
      parts: () => ({ customTools: [], extensions: [(pi) => pi.registerCommand('ask', {
        handler: async (_args, ctx) => { console.log('answer', await ctx.ui.input('Name?')) },
      })] }),
    })
    const thread = await host.openThread({
      threadId: 'alive', cwd: ${JSON.stringify(cwd)}, session: { kind: 'ephemeral' }, model: 'local/x',
      dialogs: { canAsk: () => true, ruleFor: () => undefined, timeoutMs: () => undefined, ended: () => undefined },
    })
    thread.runtime.subscribe((one) => {
      if (one.kind !== 'extension-ui-request') return
      // Fires only when something else keeps the process.
      setTimeout(() => thread.runtime.answerDialog({ id: one.id, value: 'Ada' }), 20).unref()
    })
    thread.runtime.prompt({ message: '/ask' }, { onAccepted() {}, onRejected(reason) { console.log(reason) } })
    `,
  )
  const child = spawn(process.execPath, ['--import', 'tsx', script], {
    cwd: inRoot(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.setEncoding('utf8')
  let out = ''
  child.stdout.on('data', (chunk: string) => {
    out += chunk
  })
  await once(child, 'close')
  assert.match(out, /answer Ada/)
})
