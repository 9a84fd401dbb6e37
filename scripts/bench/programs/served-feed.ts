// The real app, thread layer and socket, over a thread that says what it is told to. Told on standard input to begin.
//   served-feed EVENTS BYTES BURST PAUSE        BURST events come in one turn, the next ones PAUSE milliseconds later
import { createRedactor } from '../../../src/log/redact/redactor.js'
import { createKnownSecrets } from '../../../src/log/redact/known-secrets.js'
import { addressesOf } from '../../../src/server/addresses.js'
import { createServerApp } from '../../../src/server/app.js'
import { listen } from '../../../src/server/listen.js'
import { createProjects } from '../../../src/server/projects/projects.js'
import { createProjectsFile } from '../../../src/server/projects/state-file.js'
import { createOwnToken } from '../../../src/server/token/token.js'
import { createThreads } from '../../../src/thread/threads.js'
import { createFakeHost } from '../../../test/support/fake-hosted-thread.js'
import { createFakeStore, fakeOpenRequest } from '../../../test/support/fake-threads.js'

const [events = 0, bytes = 0, burst = 1, pause = 0] = process.argv.slice(2).map(Number)
const clock = {
  now: Date.now,
  after: (ms: number, callback: () => void) => {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}
const host = createFakeHost()
const store = createFakeStore([])
const threads = createThreads({
  host: async () => host,
  store,
  openRequest: async (threadId) => fakeOpenRequest(threadId),
  locks: undefined,
  clock,
})
const { port } = await listen('127.0.0.1', 0, (bound) => {
  const addresses = addressesOf({ host: '127.0.0.1', port: bound })
  return createServerApp({
    threads,
    store,
    locks: { holderOf: () => undefined },
    projects: createProjects({ launchDir: '/', roots: [], file: createProjectsFile('/nonexistent') }),
    queues: { isFull: () => false },
    logsDir: '/nonexistent',
    redactor: () => createRedactor(createKnownSecrets()),
    about: () => ({ enso: '', pi: '', bun: '', os: '' }),
    version: '0',
    clock,
    allowBypass: false,
    token: createOwnToken('bench'),
    addresses: () => addresses,
  })
})
await threads.operate('prompt', 'bench', { message: 'begin' })
process.stdout.write(`${port}\n`)

process.stdin.once('data', () => {
  const text = 'x'.repeat(bytes)
  const thread = host.thread('bench')
  let seq = 0
  const next = (): void => {
    if (seq >= events) return
    for (const last = seq + burst; seq < last;) {
      seq++
      // Another block each time: what is measured is the way out, not the joining of deltas.
      thread.emit({ kind: 'text-delta', contentIndex: seq, delta: text })
    }
    if (pause === 0) setImmediate(next)
    else setTimeout(next, pause)
  }
  next()
})
