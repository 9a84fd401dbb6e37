import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { main } from '../../src/cli/main.js'
import type { EnsoThreadContext, EnsoThreadStats } from '../../src/core/index.js'
import { createSessionStore } from '../../src/host/session/session-store.js'
import { ensoHome } from '../../src/system/home.js'
import { fakeIo } from '../support/cli-io.js'
import { partsWith } from '../support/cli-parts.js'
import { testFolder } from '../support/fake-cli.js'
import { call, sessionLines, words, workedThread, type SessionLines } from '../support/session-lines.js'

interface Said {
  readonly code: number
  readonly out: string
  readonly err: string
}

interface World {
  readonly threadsDir: string
  run(...args: string[]): Promise<Said>
  /** Runs every look at the thread `t`; each has to end well, and leave the file as it is. */
  look(file: string): Promise<{ stats: EnsoThreadStats; context: EnsoThreadContext; show: Said; err: string }>
}

async function world(t: TestContext): Promise<World> {
  const folder = await testFolder(t)
  const home = ensoHome({ ENSO_HOME: folder })
  mkdirSync(home.threadsDir, { recursive: true })
  const store = createSessionStore({ threadsDir: home.threadsDir })
  const run: World['run'] = async (...args) => {
    const { io, out, err } = fakeIo({ cwd: folder, argv: ['threads', ...args] })
    const code = await main(io, partsWith({ home, store: async () => store }))
    return { code, out: out.text(), err: err.text() }
  }
  return {
    threadsDir: home.threadsDir,
    run,
    async look(file) {
      const before = readFileSync(file)
      const said = new Map<string, Said>()
      for (const args of [
        'stats',
        'context',
        'events',
        'timeline',
        'show',
        'stats --json',
        'context --json',
        'show --json',
      ]) {
        const [command = '', ...flags] = args.split(' ')
        const done = await run(command, 't', ...flags)
        assert.equal(done.code, 0, `${args}: ${done.err}`)
        said.set(args, done)
      }
      const exported = await run('export', 't', '--json', '-o', '-')
      assert.equal(exported.code, 0, exported.err)
      assert.ok(before.equals(readFileSync(file)))
      return {
        stats: JSON.parse(said.get('stats --json')!.out) as EnsoThreadStats,
        context: JSON.parse(said.get('context --json')!.out) as EnsoThreadContext,
        show: said.get('show')!,
        err: said.get('stats')!.err,
      }
    },
  }
}

const SPENT = { input: 10, output: 1, cost: 0.5 }

/** Two answered prompts. */
function twoTurns(): SessionLines {
  const lines = sessionLines('t', '/work')
  for (const text of ['first', 'second']) {
    lines.prompt(text)
    lines.reply([words(`answer to ${text}`)], SPENT)
  }
  return lines
}

test('a torn last line is counted and the rest is whole', async (t) => {
  const { threadsDir, look } = await world(t)
  const file = twoTurns().writeTo(threadsDir, 'p')
  appendFileSync(file, '{"type":"message","id":"x","parentId":"e0000004","message":{"role":"assi')
  const { stats, err } = await look(file)
  assert.equal(stats.turnStats.length, 2)
  assert.equal(err, '1 unreadable line was left out\n')
})

test('a last line without its line feed is an entry like any other', async (t) => {
  const { threadsDir, look } = await world(t)
  const file = twoTurns().writeTo(threadsDir, 'p')
  writeFileSync(file, readFileSync(file, 'utf8').trimEnd())
  const { stats, err } = await look(file)
  assert.deepEqual([stats.turnStats.length, err], [2, ''])
})

test('NUL bytes, foreign text and lines that are no entries are counted', async (t) => {
  const { threadsDir, look } = await world(t)
  const lines = twoTurns()
  for (const line of ['\0'.repeat(5000), 'not json', '[1,2]', 'null', '{"type":7}', '{"type":"message"}', '\u001b[31m'])
    lines.raw(line)
  lines.prompt('third')
  const { stats, show, err } = await look(lines.writeTo(threadsDir, 'p'))
  assert.equal(err, '7 unreadable lines were left out\n')
  assert.equal(stats.promptStats.length, 3)
  assert.match(show.err, /interrupted: unanswered-prompt/)
})

test('a line that was glued to a torn one is lost with it, and nothing else is', async (t) => {
  const { threadsDir, look } = await world(t)
  const text = twoTurns().text().split('\n')
  const glued = [...text.slice(0, 3), `{"type":"mess${text[3]}`, ...text.slice(4)].join('\n')
  const file = twoTurns().writeTo(threadsDir, 'p')
  writeFileSync(file, glued)
  const { stats, err } = await look(file)
  assert.equal(err, '1 unreadable line was left out\n')
  assert.deepEqual([stats.promptStats.length, stats.turnStats.length, stats.usage.input], [1, 2, 20])
})

test('a file that is no session is named in a list, and refused by its name elsewhere', async (t) => {
  const { threadsDir, run } = await world(t)
  mkdirSync(join(threadsDir, 'p'))
  for (const [name, text] of [
    ['bad', 'not json\n{"type":"message"}\n'],
    ['empty', ''],
    ['nul', '\0\0\0\0'],
    ['headless', '{"type":"message","id":"a","parentId":null}\n'],
  ] as const) {
    writeFileSync(join(threadsDir, 'p', `2030_${name}.jsonl`), text)
    for (const command of ['show', 'stats', 'context']) {
      const { code, err } = await run(command, name)
      assert.equal(code, 1, `${command} ${name}`)
      assert.match(err, new RegExp(`2030_${name}\\.jsonl`))
    }
  }
  twoTurns().writeTo(threadsDir, 'p')
  const { code, out, err } = await run('list', '--all')
  assert.equal(code, 0)
  assert.match(out, /^t {2}/)
  assert.match(err, /^4 files are no threads: 2030_/)
})

test('a result without its call, a call twice and a result twice stand where they can', async (t) => {
  const { threadsDir, look } = await world(t)
  const lines = twoTurns()
  lines.result('nobody', 'bash', 'orphan')
  lines.reply([call('c', 'bash', { command: 'ls' }), call('c', 'bash', { command: 'ls' })], SPENT)
  lines.result('c', 'bash', 'once')
  lines.result('c', 'bash', 'twice')
  const { stats, context, show } = await look(lines.writeTo(threadsDir, 'p'))
  assert.equal(stats.callStats.length, 2)
  assert.match(show.out, /orphan/)
  assert.ok(context.next.toolResults > 0)
})

test('a file of a newer format is read as far as it is known, and says so', async (t) => {
  const { threadsDir, look } = await world(t)
  const lines = sessionLines('t', '/work', { version: 9, hologram: true })
  lines.prompt('first')
  lines.add({ type: 'hologram', beam: { power: 9 } })
  lines.add({ type: 'message', message: { role: 'oracle', content: [{ type: 'vision', light: 1 }] } })
  lines.reply([words('seen'), { type: 'smell', of: 'rain' }], SPENT)
  const { stats, show, err } = await look(lines.writeTo(threadsDir, 'p'))
  assert.match(err, /newer format \(9\)/)
  assert.equal(stats.turnStats.length, 1)
  assert.match(show.out, /· hologram\n {2}· oracle\n\nseen\n\[smell\]/)
})

test('a file of the oldest format, whose entries have no ids, is one branch', async (t) => {
  const { threadsDir, look } = await world(t)
  const lines = twoTurns()
  lines.add({ type: 'compaction', summary: 'so far', firstKeptEntryIndex: 3, tokensBefore: 50 })
  lines.prompt('third')
  lines.reply([words('done')], SPENT)
  const file = lines.writeTo(threadsDir, 'p')
  const old = lines
    .text()
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { id, parentId: _parent, version: _version, ...rest } = JSON.parse(line) as Record<string, unknown>
      return JSON.stringify(rest['type'] === 'session' ? { ...rest, id } : rest)
    })
  writeFileSync(file, `${old.join('\n')}\n`)
  const { stats, context, err } = await look(file)
  assert.deepEqual([stats.turnStats.length, stats.usage.input, err], [3, 30, ''])
  assert.equal(context.requests[2]?.compaction?.tokensBefore, 50)
})

test('branches, a parent that is missing and entries that lead in a circle end somewhere', async (t) => {
  const { threadsDir, look } = await world(t)
  const lines = twoTurns()
  lines.goBackTo('e0000002')
  lines.prompt('another way')
  lines.reply([words('there')], SPENT)
  const branched = await look(lines.writeTo(threadsDir, 'p'))
  assert.deepEqual(
    branched.stats.promptStats.map(({ text }) => text),
    ['first', 'another way'],
  )
  assert.deepEqual([branched.stats.usage.input, branched.stats.branchCost], [30, 1])

  const orphaned = twoTurns()
  orphaned.goBackTo('nowhere')
  orphaned.reply([words('from nowhere')], SPENT)
  const { stats } = await look(orphaned.writeTo(threadsDir, 'p'))
  assert.deepEqual([stats.promptStats.length, stats.turnStats.length, stats.usage.cost], [2, 3, 1.5])

  const circle = twoTurns()
  circle.goBackTo('e0000006')
  circle.prompt('a')
  circle.goBackTo('e0000005')
  circle.prompt('b')
  assert.equal((await look(circle.writeTo(threadsDir, 'p'))).stats.promptStats.length, 2)
})

test('a fork has the history and its own account', async (t) => {
  const { threadsDir, look, run } = await world(t)
  const file = workedThread('t', '/work').writeTo(threadsDir, 'p')
  const fork = join(threadsDir, 'p', '2030-02-02_the-fork.jsonl')
  const [, ...entries] = readFileSync(file, 'utf8').split('\n')
  const header = {
    type: 'session',
    version: 3,
    id: 'the-fork',
    timestamp: '2030-02-02',
    cwd: '/work',
    parentSession: file,
  }
  writeFileSync(fork, [JSON.stringify(header), ...entries].join('\n'))
  const { stats } = await look(file)
  const forked = JSON.parse((await run('stats', 'the-fork', '--json')).out) as EnsoThreadStats
  assert.deepEqual(forked.turnStats, stats.turnStats)
})

test('ten thousand entries of extensions are no obstacle', async (t) => {
  const { threadsDir, look } = await world(t)
  const lines = sessionLines('t', '/work')
  lines.prompt('first')
  for (let n = 0; n < 10_000; n++) lines.custom('counter', { n })
  lines.reply([words('done')], SPENT)
  for (let n = 0; n < 2000; n++)
    lines.add({ type: 'custom_message', customType: 'note', content: `note ${n}`, display: false })
  const { stats, context } = await look(lines.writeTo(threadsDir, 'p'))
  assert.deepEqual([stats.turnStats.length, context.events.length], [1, 2002])
})

test('a result of thirty megabytes is weighed, shown by its beginning and listed without being held', async (t) => {
  const { threadsDir, look, run } = await world(t)
  const lines = sessionLines('t', '/work')
  lines.prompt('read it all')
  lines.reply([call('c', 'read', { path: 'huge' })], SPENT)
  lines.result('c', 'read', 'a line of it\n'.repeat(2_400_000))
  lines.reply([words('done')], SPENT)
  const { stats, context, show } = await look(lines.writeTo(threadsDir, 'p'))
  assert.equal(stats.callStats[0]?.outputChars, 31_200_000)
  assert.equal(context.next.toolResults, 7_800_000)
  assert.ok(show.out.length < 1000, `${show.out.length}`)
  assert.match(show.out, /… 2399995 more lines/)
  const listed = await run('list', '--all', '--json')
  assert.equal((JSON.parse(listed.out) as { messageCount: number }).messageCount, 4)
})
