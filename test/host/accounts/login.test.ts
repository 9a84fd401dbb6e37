import assert from 'node:assert/strict'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ModelRegistry } from '@mariozechner/pi-coding-agent'
import { bench, gate } from '../host-bench.js'
import type { Bench, BenchThread } from '../host-bench.js'

const SECRET = 'sk-very-secret-0123456789'

function flow(
  thread: BenchThread,
  name: string,
  value?: string,
): { admitted: Promise<string>; settled: Promise<void> } {
  const done = gate()
  const admitted = new Promise<string>((resolve) => {
    thread.hosted.runtime.startHostFlow(value === undefined ? { name } : { name, value }, {
      onAccepted: () => resolve('accepted'),
      onRejected: resolve,
      onSettled: done.open,
    })
  })
  return { admitted, settled: done.opened }
}

const lastNotice = (thread: BenchThread): string =>
  thread.all('extension-ui-request').findLast((one) => one.method === 'notify')?.message ?? ''

function everyFile(root: string): string[] {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

async function withoutKey({ server }: Bench): Promise<void> {
  server.enqueue({ text: 'ok' })
}

test('an API key comes in through a masked question, is stored privately, and is used', async (t) => {
  const it = await bench(t)
  await withoutKey(it)
  const thread = await it.open()
  const { admitted, settled } = flow(thread, 'login', 'local/api_key')
  assert.equal(await admitted, 'accepted')
  assert.equal(thread.hosted.isBusy(), false)
  const { id, dialog } = await thread.when('extension-ui-request', (one) => one.blocking)
  assert.ok(dialog?.method === 'input' && dialog.secret === true)
  thread.hosted.runtime.answerDialog({ id, value: `  ${SECRET}\n` })
  await settled
  assert.match(lastNotice(thread), /API key for .* is stored/)
  await thread.run('hello')
  assert.equal(it.server.requests[0]?.headers.authorization, `Bearer ${SECRET}`)
  const auth = join(it.agentDir, 'auth.json')
  assert.equal(statSync(auth).mode & 0o777, 0o600)
  await thread.hosted.close()
  const holding = everyFile(it.root).filter((file) => readFileSync(file, 'utf8').includes(SECRET))
  assert.deepEqual(holding, [auth])
  assert.ok(!JSON.stringify(thread.seen).includes(SECRET))
  assert.ok(!JSON.stringify(thread.hosted.events()).includes(SECRET))
})

for (const [what, key, reason] of [
  ['would be run as a command', '!touch /tmp/enso-was-run', /run as a command/],
  ["is an environment variable's name", 'PATH', /environment variable's name/],
  ['is empty', '   ', /empty/],
  ['has white space in it', 'sk one', /white space/],
] as const) {
  test(`a key that ${what} is refused and not stored`, async (t) => {
    const { open, agentDir } = await bench(t)
    const thread = await open()
    const { settled } = flow(thread, 'login', 'local/api_key')
    const { id } = await thread.when('extension-ui-request', (one) => one.blocking)
    thread.hosted.runtime.answerDialog({ id, value: key })
    await settled
    assert.match(lastNotice(thread), reason)
    assert.equal(readFileSync(join(agentDir, 'auth.json'), 'utf8'), '{}')
  })
}

test('a cancelled login stores nothing and says so', async (t) => {
  const { open, agentDir } = await bench(t)
  const thread = await open()
  const { settled } = flow(thread, 'login', 'local/api_key')
  const { id } = await thread.when('extension-ui-request', (one) => one.blocking)
  thread.hosted.runtime.answerDialog({ id, cancelled: true })
  await settled
  assert.match(lastNotice(thread), /cancelled/)
  assert.equal(readFileSync(join(agentDir, 'auth.json'), 'utf8'), '{}')
})

test('a login for nobody, without an option, or beside another one is refused by name', async (t) => {
  const { open } = await bench(t)
  const thread = await open()
  assert.match(await flow(thread, 'login').admitted, /needs one of its options/)
  assert.match(await flow(thread, 'login', 'nobody/api_key').admitted, /no option nobody\/api_key/)
  assert.match(await flow(thread, 'sing').admitted, /no command \/sing/)
  const first = flow(thread, 'login', 'local/api_key')
  assert.equal(await first.admitted, 'accepted')
  assert.match(await flow(thread, 'login', 'local/api_key').admitted, /\/login is still under way/)
  thread.hosted.runtime.answerDialog({ id: thread.hosted.runtime.openDialogs()[0]!.id, cancelled: true })
  await first.settled
  const again = flow(thread, 'login', 'local/api_key')
  assert.equal(await again.admitted, 'accepted')
})

test('closing the thread ends a login that waits', async (t) => {
  const { open } = await bench(t)
  const thread = await open()
  const { settled } = flow(thread, 'login', 'local/api_key')
  await thread.when('extension-ui-request', (one) => one.blocking)
  await thread.hosted.close()
  await settled
})

test('a login that waits is none of the thread’s work: a prompt beside it settles', async (t) => {
  const { server, open } = await bench(t)
  server.otherwise({ text: 'ok' })
  const thread = await open()
  const { settled } = flow(thread, 'login', 'local/api_key')
  const { id } = await thread.when('extension-ui-request', (one) => one.blocking)
  await thread.run('hello')
  assert.equal(thread.all('settled').length, 1)
  assert.deepEqual(
    thread.hosted.runtime.openDialogs().map((dialog) => dialog.id),
    [id],
  )
  thread.hosted.runtime.answerDialog({ id, cancelled: true })
  await settled
  await thread.run('again')
  assert.equal(thread.all('settled').length, 2)
})

test('a logout offers what is stored and forgets it', async (t) => {
  const { host, open, agentDir } = await bench(t)
  await host.credentials.login('local/api_key', {
    input: async () => SECRET,
    select: async () => undefined,
    progress: () => undefined,
  })
  const thread = await open()
  const row = thread.hosted.runtime.listCommands().find((one) => one.name === 'logout')
  assert.deepEqual(
    row?.options?.map(({ id, detail }) => ({ id, detail })),
    [{ id: 'local', detail: 'API key' }],
  )
  const { settled } = flow(thread, 'logout', 'local')
  await settled
  assert.equal(JSON.stringify(JSON.parse(readFileSync(join(agentDir, 'auth.json'), 'utf8'))), '{}')
  await assert.rejects(host.credentials.logout('local'), /no stored credentials for local/)
})

/** An account login as the library's own are made: one that polls, one that waits for its callback. */
function accounts(registry: ModelRegistry): void {
  const base = { refreshToken: async <T>(c: T) => c, getApiKey: (c: { access: string }) => c.access }
  registry.registerProvider('device', {
    oauth: {
      ...base,
      name: 'Device Co',
      async login(callbacks) {
        const domain = await callbacks.onPrompt({ message: 'Which domain?', allowEmpty: true })
        const plan = await callbacks.onSelect?.({
          message: 'Which plan?',
          options: [
            { id: 'f', label: 'Free' },
            { id: 'p', label: 'Paid' },
          ],
        })
        callbacks.onAuth({ url: 'https://device.example/activate', instructions: 'Enter code: ABCD-1234' })
        callbacks.onProgress?.('waiting')
        return { access: `token-${domain}-${plan}`, refresh: 'r', expires: Date.now() + 1e9 }
      },
    },
  })
  registry.registerProvider('callback', {
    oauth: {
      ...base,
      name: 'Callback Co',
      usesCallbackServer: true,
      async login(callbacks) {
        callbacks.onAuth({ url: 'https://callback.example/login' })
        const code = await callbacks.onManualCodeInput!()
        return { access: `token-${code}`, refresh: 'r', expires: Date.now() + 1e9 }
      },
    },
  })
}

test('an account login by device code asks, says what to open, and stores what it got', async (t) => {
  const { open, agentDir } = await bench(t, { registerProviders: accounts })
  const thread = await open()
  const { settled } = flow(thread, 'login', 'device/oauth')
  const domain = await thread.when('extension-ui-request', (one) => one.dialog?.method === 'input')
  thread.hosted.runtime.answerDialog({ id: domain.id, value: '' })
  const plan = await thread.when('extension-ui-request', (one) => one.dialog?.method === 'select')
  thread.hosted.runtime.answerDialog({ id: plan.id, value: 'Paid' })
  await settled
  const lines = thread.all('extension-ui-request').flatMap((one) => one.message ?? [])
  assert.ok(lines.some((line) => line.includes('https://device.example/activate') && line.includes('ABCD-1234')))
  assert.equal(lastNotice(thread), 'logged in to Device Co')
  assert.match(readFileSync(join(agentDir, 'auth.json'), 'utf8'), /token--p/)
})

test('an account login with a callback takes the code by hand, with a link to the page', async (t) => {
  const { open, agentDir } = await bench(t, { registerProviders: accounts })
  const thread = await open()
  const { settled } = flow(thread, 'login', 'callback/oauth')
  const { id, dialog } = await thread.when('extension-ui-request', (one) => one.blocking)
  assert.ok(dialog?.method === 'input')
  assert.deepEqual(dialog.link, { label: 'Open the login page', url: 'https://callback.example/login' })
  thread.hosted.runtime.answerDialog({ id, value: 'pasted' })
  await settled
  assert.match(readFileSync(join(agentDir, 'auth.json'), 'utf8'), /token-pasted/)
})

test('a callback login is cancelled by its question and by closing the thread, though it looks at no signal', async (t) => {
  const { open, agentDir } = await bench(t, { registerProviders: accounts })
  const thread = await open()
  const first = flow(thread, 'login', 'callback/oauth')
  const { id } = await thread.when('extension-ui-request', (one) => one.blocking)
  thread.hosted.runtime.answerDialog({ id, cancelled: true })
  await first.settled
  assert.match(lastNotice(thread), /cancelled/)
  const second = flow(thread, 'login', 'callback/oauth')
  assert.equal(await second.admitted, 'accepted')
  await thread.hosted.close()
  await second.settled
  assert.equal(readFileSync(join(agentDir, 'auth.json'), 'utf8'), '{}')
})

test('a thread without a model gets one of the provider that was logged in to', async (t) => {
  const keys = Object.keys(process.env).filter((name) => /_API_KEY$|_TOKEN$|^AWS_|^GOOGLE_|^GH_/.test(name))
  const saved = keys.map((name) => [name, process.env[name]] as const)
  for (const name of keys) delete process.env[name]
  t.after(() => {
    for (const [name, value] of saved) process.env[name] = value
  })
  const { open } = await bench(t, { models: null })
  const thread = await open({ allowNoModel: true })
  const { settled } = flow(thread, 'login', 'anthropic/api_key')
  const key = await thread.when('extension-ui-request', (one) => one.dialog?.method === 'input')
  thread.hosted.runtime.answerDialog({ id: key.id, value: SECRET })
  const which = await thread.when('extension-ui-request', (one) => one.dialog?.method === 'select')
  assert.ok(which.dialog?.method === 'select')
  const [first] = which.dialog.options
  thread.hosted.runtime.answerDialog({ id: which.id, value: first! })
  await settled
  const { model } = thread.hosted.runtime.modelState()
  assert.equal(`${model?.provider}/${model?.id}`, first)
  assert.equal(thread.all('model').at(-1)?.model?.provider, 'anthropic')
})
