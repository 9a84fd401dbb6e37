import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { allowTools, assertEnded, checkedLines, createWorld, extension, LOCAL, observationsOf } from '../support/e2e.js'
import { type EnsoProcess, type Place, startEnso } from '../support/run-enso.js'

const MB = 1024 * 1024

/** What ten times the deltas may cost in MB. The young generation is held on Node 20 alone. */
const MOST_MORE = process.versions.node.startsWith('20.') ? 24 : 48

/** The most memory a process has held, in MB, watched until it ends. */
function watchMemory({ pid, ended }: EnsoProcess): Promise<number> {
  let highest = 0
  const look = setInterval(() => {
    try {
      highest = Math.max(
        highest,
        Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
      )
    } catch {
      // Gone: the last value stands.
    }
  }, 20)
  return ended.then(() => {
    clearInterval(look)
    return highest
  })
}

async function measured(run: EnsoProcess) {
  const memory = watchMemory(run)
  const end = await run.ended
  return { end, memory: await memory }
}

const storedBytes = (place: Place): number =>
  readdirSync(join(place.ensoHome), { recursive: true })
    .map((name) => statSync(join(place.ensoHome, String(name))))
    .reduce((total, info) => total + (info.isFile() ? info.size : 0), 0)

test('20,000 deltas cost no more memory than one, and at most three times their bytes', async (t) => {
  const { server, place } = await createWorld(t)
  const deltas = Array.from({ length: 20_000 }, (_, n) => `word${n % 10} `)
  const content = deltas.join('')
  server.enqueue({ text: 'short' }, { deltas })
  const small = await measured(startEnso(t, place, ['--json', ...LOCAL, 'hello'], { boundMs: 60_000 }))
  const large = await measured(startEnso(t, place, ['--json', ...LOCAL, 'hello'], { boundMs: 60_000 }))
  assert.equal(assertEnded(large.end, 'done', 0).text, content)
  assert.ok(large.end.stdout.length <= 3 * content.length + 4096, `${large.end.stdout.length} for ${content.length}`)
  assert.ok(large.memory - small.memory < 120, `${Math.round(large.memory - small.memory)} MB more`)
})

test('100,000 deltas cost little more memory than 10,000', async (t) => {
  const { server, place } = await createWorld(t)
  const run = async (count: number): Promise<number> => {
    const deltas = Array.from({ length: count }, (_, n) => `word ${n % 10} or so `)
    server.enqueue({ deltas })
    const run = startEnso(t, place, ['--json', '--ephemeral', ...LOCAL, 'hello'], { boundMs: 120_000 })
    const { end, memory } = await measured(run)
    assert.equal(assertEnded(end, 'done', 0).text, deltas.join(''))
    return memory
  }
  const less = await run(10_000)
  const more = await run(100_000)
  assert.ok(more - less < MOST_MORE, `${Math.round(more - less)} MB more than ${Math.round(less)}`)
})

for (const api of ['openai-completions', 'anthropic-messages'] as const) {
  test(`a call whose arguments come in thousands of pieces is done, and costs memory for what it says: ${api}`, async (t) => {
    const { server, place } = await createWorld(t)
    await place.write('home/.enso/agent/models.json', JSON.stringify(server.modelsJson(api)))
    await allowTools(place, 'write')
    const content = 'const value = "quoted" + 12345\n'.repeat(100_000)
    const call = { name: 'write', args: { path: 'long.js', content }, pieces: 8000 }
    server.enqueue({ text: 'short' }, { toolCalls: [call] }, { text: 'done' })
    const small = await measured(startEnso(t, place, ['--json', ...LOCAL, 'hello'], { boundMs: 60_000 }))
    const { end, memory } = await measured(startEnso(t, place, ['--json', ...LOCAL, 'hello'], { boundMs: 60_000 }))
    assertEnded(end, 'done', 0)
    assert.equal(readFileSync(join(place.cwd, 'long.js'), 'utf8'), content)
    assert.ok(memory - small.memory < 200, `${Math.round(memory - small.memory)} MB more`)
  })
}

test('a run of many turns and of many calls at once says nothing on standard error but what it is told to', async (t) => {
  const { server, place } = await createWorld(t)
  await allowTools(place, 'read')
  await place.write('work/a.txt', 'something')
  const read = { name: 'read', args: { path: 'a.txt' } }
  for (let turn = 0; turn < 30; turn++) server.enqueue({ toolCalls: [read] })
  server.enqueue({ toolCalls: Array.from({ length: 100 }, () => read) }, { text: 'read' })
  const end = await startEnso(t, place, ['--json', '--quiet', ...LOCAL, 'hello'], { boundMs: 60_000 }).ended
  assertEnded(end, 'done', 0)
  assert.equal(observationsOf(checkedLines(end.stdout), 'tool-result').length, 130)
  assert.equal(end.stderr, '')
})

test('a shell command that prints 500 MB is capped everywhere: stream, session, log, model, memory', async (t) => {
  const { server, place } = await createWorld(t)
  await allowTools(place, 'bash')
  const command = `yes 'a line of output that goes on and on and on and on and on and on' | head -c ${500 * MB}`
  server.enqueue({ text: 'short' }, { toolCalls: [{ name: 'bash', args: { command } }] }, { text: 'That was long.' })
  const small = await measured(startEnso(t, place, ['--json', ...LOCAL, 'hello'], { boundMs: 60_000 }))
  const { end, memory } = await measured(startEnso(t, place, ['--json', ...LOCAL, 'hello'], { boundMs: 300_000 }))
  assertEnded(end, 'done', 0)
  assert.ok(end.stdout.length < 3 * MB, `${end.stdout.length} bytes on the stream`)
  assert.ok(memory - small.memory < 250, `${Math.round(memory - small.memory)} MB more`)
  assert.ok(storedBytes(place) < 3 * MB, `${storedBytes(place)} bytes stored`)
  assert.ok(JSON.stringify(server.requests.at(-1)!.body).length < MB)
  const partial = observationsOf(checkedLines(end.stdout), 'tool-result')
  assert.ok(partial.every(({ text }) => String(text).length < 300_000))
})

test('files of 100 MB cost no memory to read and to search, and are not edited', async (t) => {
  const { server, place } = await createWorld(t)
  await allowTools(place, 'read', 'grep', 'edit')
  await place.write('work/lines.txt', 'a line that goes on and on\n'.repeat(4 * MB))
  await place.write('work/line.txt', Buffer.alloc(100 * MB, 'x'))
  const run = async (name: string, args: object) => {
    server.enqueue({ toolCalls: [{ name, args: { ...args } }] }, { text: 'seen' })
    const { end, memory } = await measured(startEnso(t, place, ['--json', ...LOCAL, 'hello'], { boundMs: 60_000 }))
    const told = observationsOf(checkedLines(end.stdout), 'tool-result').findLast(({ complete }) => complete)
    return { text: String(told?.['text']), memory }
  }
  const small = await run('read', { path: 'lines.txt', offset: 'none' })
  for (const [name, args, match] of [
    ['read', { path: 'lines.txt' }, /\[Showing lines 1-\d+ of 4194305 /],
    ['read', { path: 'lines.txt', offset: 4_000_000, limit: 2 }, /\n\[194304 more lines in file\. /],
    ['read', { path: 'line.txt' }, /^\[Line 1 is 100\.0MB, /],
    ['grep', { pattern: 'on and', path: '.' }, /\[100 matches limit reached\./],
    ['grep', { pattern: 'x+', path: 'line.txt' }, /^line\.txt:1: x{100}/],
    ['grep', { pattern: 'on and', path: 'lines.txt', context: 2, limit: 1_000_000 }, /\[50\.0KB limit reached\]$/],
  ] as const) {
    const { text, memory } = await run(name, args)
    assert.match(text, match)
    assert.ok(memory - small.memory < 60, `${name}: ${Math.round(memory - small.memory)} MB more`)
  }
})

test('a tool of an extension that answers with 40 MB is capped on the stream, and the cut is said', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ toolCalls: [{ name: 'floods', args: { bytes: 40 * MB } }] }, { text: 'ok' })
  const run = startEnso(t, place, ['--json', ...LOCAL, ...extension('stubborn'), 'hello'], { boundMs: 60_000 })
  const { end } = await measured(run)
  assertEnded(end, 'done', 0)
  assert.ok(end.stdout.length < 3 * MB, `${end.stdout.length} bytes on the stream`)
  const told = observationsOf(checkedLines(end.stdout), 'tool-result').find(({ complete }) => complete)
  assert.match(JSON.stringify(told), /truncated|more/)
})
