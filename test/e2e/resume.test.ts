import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { allowTools, assertEnded, createWorld, type Line, LOCAL, observationsOf } from '../support/e2e.js'
import { jsonLines, type Place, runEnso, startEnso } from '../support/run-enso.js'
import { openEnsoTerminal } from '../support/terminal.js'

const asked = (body: unknown): string => JSON.stringify((body as { messages: unknown }).messages)

/** The session files by the thread's id. */
function sessions(place: Place): Map<string, string> {
  const threads = join(place.ensoHome, 'threads')
  const files = readdirSync(threads, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.jsonl'))
  return new Map(files.map((name) => [/_([^_]+)\.jsonl$/.exec(name)![1]!, join(threads, name)]))
}

test('-r without an id lets a person pick one of the folder’s threads by its title', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'ok' })
  await runEnso(t, place, ['--thread-id', 'older', ...LOCAL, 'paint the shed green'])
  await runEnso(t, place, ['--thread-id', 'newer', ...LOCAL, 'mend the fence'])
  const terminal = await openEnsoTerminal(t, place, ['-r', ...LOCAL], { columns: 90, rows: 30 })
  await terminal.waitFor(/Which thread\?[^]*mend the fence[^]*paint the shed green/)
  await terminal.press('Down', 'Enter')
  await terminal.waitFor(/^›/m)
  await terminal.type('what colour?')
  await terminal.press('Enter')
  await terminal.waitFor(/\nok\n[^]*\n›/)
  await terminal.press('C-d')
  assert.equal(await terminal.exitCode(), 0)
  assert.match(asked(server.requests.at(-1)!.body), /paint the shed green.*what colour\?/)
  assert.equal(sessions(place).size, 2)

  const left = await openEnsoTerminal(t, place, ['-r', ...LOCAL, 'unasked'])
  await left.waitFor('Which thread?')
  await left.press('Escape')
  assert.equal(await left.exitCode(), 2)
  const unattended = await runEnso(t, place, ['--json', '-r', ...LOCAL, 'hello'])
  assert.equal(assertEnded(unattended, 'usage', 2).reason, '-r needs a thread id here')
})

test('a fork is another thread that begins with the history; the one it comes from is untouched', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'ok' })
  await runEnso(t, place, ['--thread-id', 'root-1', ...LOCAL, 'first prompt'])
  const before = readFileSync(sessions(place).get('root-1')!, 'utf8')
  const fork = await runEnso(t, place, ['--json', '-r', 'root-1', '--fork', ...LOCAL, 'another way'])
  const { threadId } = assertEnded(fork, 'done', 0)
  assert.ok(threadId !== null && threadId !== 'root-1')
  assert.match(fork.stderr, new RegExp(`thread ${threadId} begins as a copy of root-1`))
  assert.match(asked(server.requests.at(-1)!.body), /first prompt.*another way/)
  assert.equal(readFileSync(sessions(place).get('root-1')!, 'utf8'), before)
  const latest = assertEnded(await runEnso(t, place, ['--json', '-c', '--fork', ...LOCAL, 'once more']), 'done', 0)
  assert.match(asked(server.requests.at(-1)!.body), /first prompt.*another way.*once more/)
  assert.equal(sessions(place).size, 3)
  assert.ok(latest.threadId !== threadId)
})

test('a thread goes on in the folder it began in, wherever it is resumed from, and says so', async (t) => {
  const { server, place } = await createWorld(t)
  await allowTools(place, 'bash')
  server.otherwise({ text: 'ok' })
  const elsewhere = join(place.root, 'elsewhere')
  mkdirSync(elsewhere)
  await runEnso(t, place, ['--thread-id', 'here', ...LOCAL, 'hello'])
  server.enqueue({ toolCalls: [{ name: 'bash', args: { command: 'pwd' } }] })
  const end = await runEnso(t, place, ['--json', '-r', 'here', ...LOCAL, 'where?'], { cwd: elsewhere })
  assertEnded(end, 'done', 0)
  assert.match(end.stderr, new RegExp(`working in ${place.cwd}, where thread here began`))
  const lines = jsonLines<Line>(end.stdout)
  assert.equal(lines[0]!['cwd'], place.cwd)
  const pwd = observationsOf(lines, 'tool-result').find((one) => one['complete'] === true)
  assert.match(String(pwd!['text']), new RegExp(place.cwd))
  // The newest of this folder is none of the other one's.
  const none = await runEnso(t, place, ['--json', '-c', ...LOCAL, 'and now?'], { cwd: elsewhere })
  assertEnded(none, 'not-found', 6)

  rmSync(place.cwd, { recursive: true })
  const gone = await runEnso(t, place, ['--json', '-r', 'here', ...LOCAL, 'still there?'], { cwd: elsewhere })
  const { reason, hint } = assertEnded(gone, 'usage', 2)
  assert.deepEqual([reason?.includes(place.cwd), /--fork/.test(hint ?? '')], [true, true])
  const copy = await runEnso(t, place, ['--json', '-r', 'here', '--fork', ...LOCAL, 'still there?'], { cwd: elsewhere })
  assertEnded(copy, 'done', 0)
  assert.equal(jsonLines<Line>(copy.stdout)[0]!['cwd'], elsewhere)
})

test('a run killed while its tool ran: the resume says so, and the next request has a result for every call', async (t) => {
  const { server, place } = await createWorld(t)
  await allowTools(place, 'bash')
  server.enqueue({ text: 'Waiting.', toolCalls: [{ name: 'bash', args: { command: 'sleep 600' }, id: 'call_1' }] })
  const run = startEnso(t, place, ['--json', '--thread-id', 'killed', ...LOCAL, 'wait for it'])
  await run.waitForJson<Line>(({ observation }) => (observation as Line | undefined)?.['kind'] === 'tool-call')
  process.kill(run.pid, 'SIGKILL')
  await run.ended

  server.otherwise({ text: 'Going on.' })
  const text = await runEnso(t, place, ['-r', 'killed', ...LOCAL, 'go on'])
  assert.equal(text.exitCode, 0, text.stderr)
  assert.match(text.stderr, /stopped in the middle of a tool call/)
  const { messages } = server.requests.at(-1)!.body as { messages: { role: string; tool_call_id?: string }[] }
  const called = messages.findIndex(({ role }) => role === 'assistant')
  assert.deepEqual(
    messages.slice(called).map(({ role, tool_call_id: id }) => [role, id]),
    [
      ['assistant', undefined],
      ['tool', 'call_1'],
      ['user', undefined],
    ],
  )
  const again = await runEnso(t, place, ['-r', 'killed', ...LOCAL, 'and on'])
  assert.doesNotMatch(again.stderr, /middle of a tool call/)
})

test('a run killed before its reply: the resume says that the prompt was never answered, in every mode', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ text: 'half', hang: 'mid' })
  const run = startEnso(t, place, ['--json', '--thread-id', 'early', ...LOCAL, 'a first prompt'])
  await run.waitForJson<Line>(({ observation }) => (observation as Line | undefined)?.['kind'] === 'text-delta')
  process.kill(run.pid, 'SIGKILL')
  await run.ended
  server.otherwise({ text: 'here' })
  const terminal = await openEnsoTerminal(t, place, ['-c', ...LOCAL])
  await terminal.waitFor(/the last prompt of this thread was never answered[^]*^›/m)
  await terminal.press('C-d')
  assert.equal(await terminal.exitCode(), 0)
  const json = await runEnso(t, place, ['--json', '-r', 'early', ...LOCAL, 'are you there?'])
  assertEnded(json, 'done', 0)
  assert.equal(
    jsonLines<Line>(json.stdout).find(({ type }) => type === 'snapshot')!['interrupted'],
    'unanswered-prompt',
  )
  assert.match(asked(server.requests.at(-1)!.body), /a first prompt.*are you there\?/)
})
