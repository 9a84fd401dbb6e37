import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ModelReply } from '../../test/support/model-replies.js'
import { type Ended, type Mode, processesNamed, type Subject, type World } from './subject.js'

/** What a probe saw: whether it is as it must be, and what it was. */
export interface Seen {
  readonly ok: boolean
  readonly what: string
}

export interface Probe {
  readonly name: string
  run(world: World, subject: Subject): Promise<Seen>
}

const exitOf = ({ exitCode }: Ended): string => (exitCode === undefined ? 'never ended' : `exit ${exitCode}`)
const seen = (ok: boolean, what: string): Seen => ({ ok, what })

/** The last line as JSON, or nothing. */
function lastRecord(stdout: string): { type?: string; outcome?: string } | undefined {
  try {
    return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as { type?: string }
  } catch {
    return undefined
  }
}

const replies = (name: string, reply: ModelReply, check: (ended: Ended) => Seen, mode: Mode, more = {}): Probe => ({
  name,
  async run({ server, drive }) {
    server.otherwise(reply)
    return check(await drive({ mode, boundMs: 40_000, ...more }))
  },
})

const answered =
  (text: string) =>
  (ended: Ended): Seen =>
    seen(ended.exitCode === 0 && ended.stdout.includes(text), `${exitOf(ended)}, ${ended.ms} ms`)

const whole = (mode: Mode, bytes: number): Probe =>
  replies(
    `300 KB reply, reader sleeps 3 s (${mode})`,
    { large: { bytes, chunk: 4096 } },
    (ended) => {
      const complete = mode === 'text' ? ended.stdout.length >= bytes : lastRecord(ended.stdout) !== undefined
      return seen(
        ended.exitCode === 0 && complete,
        `${complete ? 'whole' : 'cut'}, ${ended.stdout.length} bytes, ${exitOf(ended)}`,
      )
    },
    mode,
    { deafMs: 3000 },
  )

let naps = process.pid * 1000

const signalled = (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', code: number): Probe => ({
  name: `${signal} during a tool`,
  async run({ server, drive }) {
    const nap = `sleep ${100_000_000 + naps++}`
    server.enqueue({ toolCalls: [{ name: 'bash', args: { command: nap } }] })
    const ended = await drive({
      mode: 'json',
      async during(child) {
        while (processesNamed(nap).length === 0) await pause(30)
        child.kill(signal)
      },
    })
    await pause(200)
    const orphans = processesNamed(nap)
    for (const pid of orphans) process.kill(pid, 'SIGKILL')
    const record = lastRecord(ended.stdout)?.type
    const end = ended.signal === null ? exitOf(ended) : `killed by ${ended.signal}`
    const ok = ended.exitCode === code && ended.signal === null && orphans.length === 0 && record === 'result'
    return seen(ok, `${end}, ${orphans.length > 0 ? 'orphan' : 'no orphan'}, last record ${record ?? 'none'}`)
  },
})

const refusedLogin = (mode: Mode): Probe =>
  replies(
    `provider answers 401 (${mode})`,
    { status: 401 },
    (ended) => seen(ended.exitCode !== 0 && ended.exitCode !== undefined, `${exitOf(ended)}, ${ended.ms} ms`),
    mode,
  )

const shortDeltas = Array.from({ length: 200 }, (_, n) => `${'lorem ipsum dolor sit amet '.repeat(3)}${n}`.slice(0, 94))
const escapes = 'before \u001b]0;owned\u0007\u001b[31mred\u001b[0m \u001b]52;c;b3duZWQ=\u0007 after'

const leaves: Probe = replies(
  'reader leaves after the first bytes',
  { large: { bytes: 2_000_000, chunk: 256 } },
  (ended) =>
    seen(ended.exitCode === 141 && ended.stderr === '', `${exitOf(ended)}, ${ended.stderr.length} bytes on stderr`),
  'json',
  { leaves: true },
)

const outside: Probe = {
  name: 'shell write outside the workspace, default settings',
  async run({ server, drive, root }) {
    writeFileSync(join(root, '.enso', 'config.json'), '{}')
    // Not in the temporary folder, which may be written.
    const file = join(homedir(), `.enso-conformance-${process.pid}`)
    server.enqueue({ toolCalls: [{ name: 'bash', args: { command: `echo x > ${file}` } }] }, { text: 'done' })
    const ended = await drive({ mode: 'json' })
    const written = existsSync(file)
    rmSync(file, { force: true })
    return seen(!written && ended.exitCode === 3, `${written ? 'written' : 'not written'}, ${exitOf(ended)}`)
  },
}

const loop: Probe = {
  name: 'endless tool loop with a limit',
  async run({ server, drive }, { turnLimit }) {
    if (turnLimit === undefined) return seen(false, 'no limit exists')
    const before = server.requests.length
    server.otherwise({ toolCalls: [{ name: 'ls', args: { path: '.' } }] })
    const ended = await drive({ mode: 'json', extra: turnLimit })
    const asked = server.requests.length - before
    return seen(
      ended.exitCode === 4 && asked === 3,
      `${exitOf(ended)}, ${asked} requests, ${lastRecord(ended.stdout)?.outcome}`,
    )
  },
}

const unknownFlag: Probe = {
  name: 'unknown flag',
  async run({ drive }) {
    const ended = await drive({ mode: 'text', extra: ['--no-such-flag'] })
    return seen(ended.exitCode === 2, exitOf(ended))
  },
}

const leftBehind: Probe = {
  name: 'left behind after a run',
  async run({ server, drive, root }) {
    server.otherwise({ text: 'hello' })
    await drive({ mode: 'json' })
    const files = readdirSync(root, { recursive: true }).map(String)
    const strays = files.filter((name) => /\.tmp$|\.lock$/.test(name) || /^tmp\/./.test(name))
    const session = files.find((name) => name.endsWith('.jsonl') && !name.includes('logs/'))
    const mode = session === undefined ? 'none' : (statSync(join(root, session)).mode & 0o777).toString(8)
    return seen(strays.length === 0 && mode === '600', `${strays.length} stray files, transcript ${mode}`)
  },
}

/** The rows of the table. */
export const PROBES: readonly Probe[] = [
  replies('hello', { text: 'hello back' }, answered('hello back'), 'text'),
  replies('stdin is an open pipe nobody writes to (text)', { text: 'ok then' }, answered('ok then'), 'text', {
    stdin: 'pipe',
  }),
  replies('stdin is an open pipe nobody writes to (json)', { text: 'ok then' }, answered('ok then'), 'json', {
    stdin: 'pipe',
  }),
  refusedLogin('json'),
  refusedLogin('text'),
  leaves,
  whole('json', 300 * 1024),
  whole('text', 300 * 1024),
  replies(
    'bytes of JSON for an 18.8 KB answer in 200 chunks',
    { deltas: shortDeltas },
    (ended) => seen(ended.stdout.length <= 3 * 18_800 + 4096, `${ended.stdout.length} bytes`),
    'json',
  ),
  replies(
    'raw U+2028 on the JSON lines',
    { text: 'a\u2028b' },
    (ended) => seen(!ended.stdout.includes('\u2028'), ended.stdout.includes('\u2028') ? 'raw' : 'escaped'),
    'json',
  ),
  replies(
    'ANSI and OSC 52 from the model, text, piped',
    { text: escapes },
    (ended) => seen(!ended.stdout.includes('\u001b'), ended.stdout.includes('\u001b') ? 'passed through' : 'taken out'),
    'text',
  ),
  outside,
  signalled('SIGINT', 130),
  signalled('SIGTERM', 143),
  signalled('SIGHUP', 129),
  loop,
  unknownFlag,
  leftBehind,
]
