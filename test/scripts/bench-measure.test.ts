import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { test, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { createWorld } from '../support/e2e.js'
import { inRoot } from '../support/root.js'

interface Measured {
  readonly bytes: number
  readonly lines: number
  readonly peakMiB: number
  readonly requestMs?: number
  readonly failed?: string
}

const load = (file: string): Promise<unknown> => import(pathToFileURL(inRoot('scripts/bench', file)).href)
const { measure } = (await load('measure.js')) as {
  measure(program: object, options: object): Promise<Measured>
}
const { inRounds } = (await load('rounds.js')) as {
  inRounds(groups: readonly object[], world: object, rounds: number, tell: () => void): Promise<Map<string, Measured[]>>
}

const holds = (): (() => void) => () => undefined
const program = (code: string): object => ({
  command: process.execPath,
  args: ['-e', code],
  env: { PATH: '/usr/bin:/bin' },
  cwd: inRoot(),
})
const options = { boundMs: 60_000, holds }

test('a program is measured by what it says and by the memory of its largest process', async () => {
  const code = `require('child_process').spawnSync(process.execPath, ['-e', 'Buffer.alloc(3e8, 1)'])
    process.stdout.write('one\\ntwo\\n')`
  const { bytes, lines, peakMiB, failed } = await measure(program(code), options)
  assert.deepEqual({ bytes, lines, failed }, { bytes: 8, lines: 2, failed: undefined })
  assert.ok(peakMiB > 250, String(peakMiB))
})

test('a run without the reply, or with half of it, does not count; nor does one that fails or takes too long', async () => {
  const said = { text: 'reply', bytes: 10 }
  const failure = async (code: string, more = {}): Promise<string | undefined> =>
    (await measure(program(code), { ...options, said, ...more })).failed
  assert.equal(await failure(`console.log('reply and more')`), undefined)
  assert.equal(await failure(`console.log('reply')`), 'it did not say the whole reply')
  assert.equal(await failure(`console.log('something else')`), 'it did not say the whole reply')
  assert.match((await failure(`console.error('why'); process.exit(3)`)) ?? '', /^exit 3: why/)
  assert.equal(await failure('setInterval(() => 0, 1e6)', { boundMs: 300 }), 'killed after 0.3 s')
})

/** A program that asks for a title first, as some agents do, and then prompts. */
function asker(url: string): string {
  const ask = `async (more) => (await fetch('${url}/v1/chat/completions', {
    method: 'POST', body: JSON.stringify({ model: 'x', stream: true, messages: [], ...more }),
  })).text()`
  return `const ask = ${ask}
    const main = async () => {
      if (!(await ask({})).includes('a title')) process.exit(4)
      if (!process.argv.includes('only-title')) await ask({ tools: [] })
      console.log('streaming words streaming words')
    }
    void main()`
}

test('the request that counts is the one with the prompt and tools, not the one for a title', async (t) => {
  const { server, place } = await createWorld(t)
  const world = { server, scratch: { holds }, cwd: place.cwd, env: place.env }
  const subject = (name: string): object => ({ name, argv: ['-e', asker(server.url), name], deltas: 2 })
  const group = { name: 'g', subjects: [subject('both'), subject('only-title')] }
  const results = await inRounds([group], world, 1, () => undefined)
  const [both] = results.get('both') ?? []
  const [title] = results.get('only-title') ?? []
  assert.deepEqual([both?.failed, title?.failed], [undefined, undefined])
  assert.equal(typeof both?.requestMs, 'number')
  assert.equal(title?.requestMs, undefined)
})

/** Serves events until told to stop, and cuts off everybody who reads. */
async function cuttingServer(t: TestContext): Promise<{ port: number; cut(): void }> {
  const cuts: (() => void)[] = []
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: {"type":"observation","seq":1,"observation":{}}\n\n')
    cuts.push(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { port: (server.address() as AddressInfo).port, cut: () => cuts.forEach((cut) => cut()) }
}

test('readers that are cut off are counted and not waited for, though stalled ones never notice', async (t) => {
  const { port, cut } = await cuttingServer(t)
  const args = [String(port), '/', 'x', '2', '3', '"seq":9,']
  const readers = spawn(process.execPath, [inRoot('scripts/bench/programs/sse-readers.js'), ...args])
  t.after(() => readers.kill('SIGKILL'))
  const lines = createInterface({ input: readers.stdout })[Symbol.asyncIterator]()
  assert.equal((await lines.next()).value, 'connected')
  cut()
  assert.deepEqual(JSON.parse((await lines.next()).value as string), { delivered: 2, cut: 2 })
})
