// What looking at stored threads costs: `npx tsx scripts/bench/threads.ts [MEGABYTES] [THREADS]` lists that many
// threads, opens a session of that size as a ratio to a bare loop of JSON.parse over the same file, and folds the
// context of a thread of 500 requests. Each is measured in a process of its own, with its peak memory; none of them
// loads the agent library.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { foldContextRequest, foldThreadContext, foldThreadStats } from '../../src/core/index.js'
import { createPalette } from '../../src/cli/print/palette.js'
import { createTranscriptText } from '../../src/cli/threads/transcript-text.js'
import { createSessionStore } from '../../src/host/session/session-store.js'
import { createThreadLogReader } from '../../src/log/thread-log.js'
import { call, sessionLines, words } from '../../test/support/session-lines.js'
import { addFigure, addRatio, keepFigures } from './figures.js'
import { createScratch } from './scratch.js'

const ROUNDS = 5
const REQUESTS = 500

/** A session with the mix of a long run: replies with calls, results of some kilobytes, now and then a long text. */
function writeSession(threadsDir: string, threadId: string, requests: number, resultBytes: number): string {
  const lines = sessionLines(threadId, '/work')
  const line = 'src/some/file.ts:120: a line of it, with "quotes" and a \\ now and then\n'
  const result = line.repeat(Math.ceil(resultBytes / line.length))
  for (let n = 0; n < requests; n++) {
    if (n % 5 === 0) lines.prompt(`step ${n}: look again, and say what is left`)
    const id = `call-${n}`
    lines.reply([words('Looking at it. '.repeat(8)), call(id, 'read', { path: `src/file-${n % 60}.ts` })], {
      input: 1000,
      output: 90,
      cacheRead: 20_000,
      cost: 0.001,
    })
    lines.result(id, 'read', result)
  }
  return lines.writeTo(threadsDir, 'project')
}

/** A bare loop over the lines; what opening keeps it may keep as well. */
async function bareParse(file: string, keep: boolean): Promise<number> {
  const bytes = readFileSync(file)
  const kept: unknown[] = []
  let parsed = 0
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(0x0a, from)
    const value: unknown = JSON.parse(bytes.toString('utf8', from, end))
    if (keep) kept.push(value)
    parsed++
    from = end + 1
  }
  return parsed
}

type Work = (threadsDir: string, file: string) => Promise<unknown>

const refOf = (file: string) => ({
  threadId: /_([^_]+)\.jsonl$/.exec(basename(file))?.[1] ?? '',
  projectId: 'project',
  file,
  cwd: '/work',
})
const recordsOf = (threadsDir: string, file: string) => createSessionStore({ threadsDir }).records(refOf(file))

const WORK: Readonly<Record<string, Work>> = {
  'bare JSON.parse': (_threadsDir, file) => bareParse(file, false),
  'bare, values kept': (_threadsDir, file) => bareParse(file, true),
  'open (transcript)': (threadsDir, file) => createSessionStore({ threadsDir }).read(refOf(file)),
  'open (records)': recordsOf,
  // What `enso threads show` does: no entry is held.
  show: async (threadsDir, file) => {
    const text = createTranscriptText({ palette: createPalette({ isTTY: false } as never, {}, 'never'), width: 100 })
    let chars = 0
    await createSessionStore({ threadsDir }).walk(refOf(file), (entry) => {
      chars += text.entry(entry).length
    })
    return chars
  },
  list: (threadsDir) => createSessionStore({ threadsDir }).list(),
  'sums over all threads': (threadsDir) => createSessionStore({ threadsDir }).spending(0, () => undefined),
  context: async (threadsDir, file) =>
    foldThreadContext({ threadId: 'long', live: false, records: await recordsOf(threadsDir, file) }),
  'context of one request': async (threadsDir, file) =>
    foldContextRequest({ threadId: 'long', live: false, records: await recordsOf(threadsDir, file) }, REQUESTS - 1),
  stats: async (threadsDir, file) => {
    const log = await createThreadLogReader({ logsDir: threadsDir }).account('long', 0)
    return foldThreadStats({ threadId: 'long', live: false, records: await recordsOf(threadsDir, file), log })
  },
}

async function measure(name: string, threadsDir: string, file: string): Promise<void> {
  const work = WORK[name]
  if (work === undefined) throw new Error(`no work ${name}`)
  const walls: number[] = []
  const cpus: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const from = performance.now()
    const before = process.cpuUsage()
    await work(threadsDir, file)
    const { user, system } = process.cpuUsage(before)
    cpus.push((user + system) / 1000)
    walls.push(performance.now() - from)
  }
  const mib = process.resourceUsage().maxRSS / 1024
  process.stdout.write(`${JSON.stringify({ walls, cpus, mib })}\n`)
}

/** Wall time and processor time of all the process's threads, round by round, and its peak memory. */
interface Measured {
  readonly walls: readonly number[]
  readonly cpus: readonly number[]
  readonly mib: number
}

function inChild(name: string, threadsDir: string, file: string): Measured {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [...process.execArgv, fileURLToPath(import.meta.url), 'measure', name, threadsDir, file],
    { encoding: 'utf8' },
  )
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as Measured
}

function say(name: string, { walls, cpus, mib }: Measured): void {
  addFigure(`${name}: wall`, 'ms', walls)
  addFigure(`${name}: CPU`, 'ms', cpus)
  addFigure(`${name}: peak memory`, 'MiB', [mib])
}

function compare(megabytes: number, threads: number): void {
  const { dir } = createScratch('enso-bench-threads-')
  const [large, many, long] = ['large', 'many', 'long'].map((name) => join(dir, name)) as [string, string, string]
  for (const folder of [large, many, long]) mkdirSync(folder)
  const perRequest = 8000
  const file = writeSession(large, 'large', Math.ceil((megabytes * 1e6) / (perRequest + 900)), perRequest)
  const session = `a session of ${(statSync(file).size / 1e6).toFixed(0)} MB`
  const bares = ['bare JSON.parse', 'bare, values kept'].map((name) => [name, inChild(name, large, file)] as const)
  for (const [name, bare] of bares) say(`${session}, ${name}`, bare)
  for (const name of ['show', 'open (transcript)', 'open (records)']) {
    const open = inChild(name, large, file)
    say(`${session}, ${name}`, open)
    for (const [bareName, bare] of bares) {
      addRatio(`${name} / ${bareName}: wall`, open.walls, bare.walls)
      addRatio(`${name} / ${bareName}: CPU`, open.cpus, bare.cpus)
    }
  }
  say(`${session}, list`, inChild('list', large, file))

  const template = readFileSync(writeSession(many, 'template', 20, 1500), 'utf8')
  for (let n = 0; n < threads; n++) {
    const id = `thread-${n}`
    writeFileSync(
      join(many, 'project', `2030-01-01T00-00-00-000Z_${id}.jsonl`),
      template.replace('"template"', `"${id}"`),
    )
  }
  const stored = `${threads} threads of ${(template.length / 1000).toFixed(0)} kB`
  for (const name of ['list', 'sums over all threads']) say(`${stored}, ${name}`, inChild(name, many, file))

  const longFile = writeSession(long, 'long', REQUESTS, 4000)
  const thread = `a thread of ${REQUESTS} requests, ${(statSync(longFile).size / 1e6).toFixed(1)} MB`
  for (const name of ['bare JSON.parse', 'context', 'context of one request', 'stats']) {
    say(`${thread}, ${name}`, inChild(name, long, longFile))
  }
  keepFigures()
}

const [first = '', name = '', threadsDir = '', file = ''] = process.argv.slice(2)
if (first === 'measure') await measure(name, threadsDir, file)
else compare(Number(first) || 100, Number(name) || 2000)
