import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { EnsoAbortReceipt, EnsoFollowFrame, EnsoPromptReceipt } from '../../src/core/index.js'
import { createWorld, extension, LOCAL } from '../support/e2e.js'
import type { ModelReply } from '../support/model-server.js'
import type { Place } from '../support/run-enso.js'
import { type Followed, type Serving, startServing } from '../support/serving.js'

/** How long it goes on. The tests' own run is short; `ENSO_SOAK_SECONDS=600` is the long one. */
const SECONDS = Number(process.env['ENSO_SOAK_SECONDS'] ?? 8)
const SEED = Number(process.env['ENSO_SOAK_SEED'] ?? Date.now() % 1_000_000)
const THREADS = 6

/** Small, and the same for the same seed. */
function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** One accepted prompt, and what is known to have become of it. */
interface Accepted {
  readonly text: string
  readonly messageId: string
  readonly threadId: string
  fate: 'open' | 'handed back' | 'rejected' | 'killed'
}

interface Soak {
  readonly random: (below: number) => number
  readonly place: Place
  serving: Serving
  readonly accepted: Accepted[]
  prompts: number
  readonly tally: Map<string, number>
}

function count({ tally }: Soak, what: string): void {
  tally.set(what, (tally.get(what) ?? 0) + 1)
}

function replyOf(random: (below: number) => number): ModelReply {
  switch (random(6)) {
    case 0:
      return { toolCalls: [{ name: 'ask_things', args: { ask: ['confirm'] } }] }
    case 1:
      return { deltas: Array.from({ length: 20 }, (_, index) => `word${index} `), delayUntil: pause(random(300)) }
    case 2:
      return { toolCalls: [{ name: 'ls', args: {} }] }
    case 3:
      return { text: 'x'.repeat(random(20_000) + 1) }
    default:
      return { text: 'Short.' }
  }
}

/** What a person who follows a thread does: answers what is asked, and notes what is said of prompts. */
function attend(soak: Soak, threadId: string, followed: Followed): void {
  const seen = new Set<string>()
  const onFrame = (frame: EnsoFollowFrame): boolean => {
    if (frame.type === 'observation') {
      const { observation } = frame
      if (observation.kind === 'prompt-rejected') {
        const prompt = soak.accepted.find(({ messageId }) => messageId === observation.messageId)
        if (prompt) prompt.fate = 'rejected'
      }
      if (observation.kind === 'extension-ui-request' && observation.blocking && !seen.has(observation.id)) {
        seen.add(observation.id)
        void answer(soak, threadId, observation.id)
      }
    } else if (frame.type === 'snapshot') {
      for (const { id } of frame.openDialogs) {
        if (!seen.has(id)) void answer(soak, threadId, id)
        seen.add(id)
      }
    }
    return false
  }
  followed.waitFor(onFrame).catch(() => undefined)
}

async function answer(soak: Soak, threadId: string, id: string): Promise<void> {
  await pause(soak.random(200))
  const body = soak.random(4) === 0 ? { id, cancelled: true } : { id, confirmed: soak.random(2) === 0 }
  const outcome = await soak.serving.ask('POST', `/api/threads/${threadId}/dialog`, body).catch(() => undefined)
  if (outcome === undefined) return
  assert.ok([204, 404].includes(outcome.status), `an answer got ${outcome.status}`)
  count(soak, 'answers')
}

async function prompt(soak: Soak, threadId: string): Promise<void> {
  const text = `prompt ${soak.prompts++}.`
  const admission = [undefined, undefined, 'interrupt', 'enqueue'][soak.random(4)]
  const body = admission === undefined ? { message: text } : { message: text, admission }
  const { status, body: receipt } = await soak.serving.ask('POST', `/api/threads/${threadId}/prompt`, body)
  assert.equal(status, 202, JSON.stringify(receipt))
  soak.accepted.push({ text, messageId: (receipt as EnsoPromptReceipt).messageId, threadId, fate: 'open' })
  count(soak, 'prompts')
}

async function stop(soak: Soak, threadId: string): Promise<void> {
  const { status, body } = await soak.serving.ask('POST', `/api/threads/${threadId}/abort`)
  assert.ok([200, 404].includes(status))
  if (status !== 200) return
  for (const text of (body as EnsoAbortReceipt).restored) {
    const given = soak.accepted.find((one) => one.text === text)
    if (given) given.fate = 'handed back'
  }
  count(soak, 'stops')
}

/** One client of one thread: whatever comes to its mind, until it is time. */
async function client(soak: Soak, threadId: string, until: number): Promise<void> {
  let followed: Followed | undefined
  while (Date.now() < until) {
    const what = soak.random(10)
    if (followed === undefined) {
      followed = await soak.serving.follow(threadId)
      attend(soak, threadId, followed)
      count(soak, 'follows')
    } else if (what < 5) await prompt(soak, threadId)
    else if (what < 6) await stop(soak, threadId)
    else if (what < 7) {
      followed.close()
      followed = undefined
    }
    await pause(soak.random(150))
  }
  followed?.close()
}

async function settleAll(soak: Soak): Promise<void> {
  for (let thread = 0; thread < THREADS; thread++) {
    const threadId = `soak-${thread}`
    const followed = await soak.serving.follow(threadId)
    attend(soak, threadId, followed)
    await stop(soak, threadId)
    const rests = followed.waitFor((frame) => frame.type !== 'observation' && !frame.busy)
    const stuck = pause(20_000, 'stuck', { ref: false })
    assert.notEqual(await Promise.race([rests, stuck]), 'stuck', `${threadId} is stuck`)
    followed.close()
  }
}

async function killAndStartAgain(t: TestContext, soak: Soak, args: readonly string[]): Promise<void> {
  soak.serving.process.kill('SIGKILL')
  await soak.serving.process.ended
  // What had not been settled when it was killed may be gone.
  for (const one of soak.accepted) if (one.fate === 'open') one.fate = 'killed'
  soak.serving = await startServing(t, soak.place, args, { boundMs: (SECONDS + 120) * 1000 })
  count(soak, 'kills')
}

const descriptors = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length
const residentMiB = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024

test(
  `${SECONDS} s of prompts, stops, answers, disconnects and kills`,
  { timeout: (SECONDS + 120) * 1000 },
  async (t) => {
    t.diagnostic(`seed ${SEED}`)
    const random = createRandom(SEED)
    const { server, place } = await createWorld(t)
    server.otherwise(() => replyOf(random))
    const args = [...LOCAL, ...extension('asks'), '--thread-idle', '2s']
    const serving = await startServing(t, place, args, { boundMs: (SECONDS + 120) * 1000 })
    const soak: Soak = { random, place, serving, accepted: [], prompts: 0, tally: new Map() }
    const rounds = Math.max(2, Math.round(SECONDS / 30))
    let restingMiB = 0
    for (let round = 0; round < rounds; round++) {
      const until = Date.now() + (SECONDS * 1000) / rounds
      await Promise.all(Array.from({ length: THREADS }, (_, thread) => client(soak, `soak-${thread}`, until)))
      await settleAll(soak)
      const { pid } = soak.serving.process
      const resting = residentMiB(pid)
      restingMiB ||= resting
      assert.ok(resting < restingMiB * 2 + 150, `${resting} MiB at rest, ${restingMiB} at first`)
      await checkPrompts(soak)
      if (round === Math.floor(rounds / 2) - 1) await killAndStartAgain(t, soak, args)
    }
    const { pid } = soak.serving.process
    const idle = await waitUntil(() => descriptors(pid) < 60)
    assert.ok(idle, `${descriptors(pid)} descriptors are open`)
    soak.serving.process.kill('SIGTERM')
    assert.equal((await soak.serving.process.ended).exitCode, 143)
    t.diagnostic([...soak.tally].map(([what, many]) => `${many} ${what}`).join(', '))
  },
)

async function waitUntil(holds: () => boolean): Promise<boolean> {
  for (let look = 0; look < 100; look++) {
    if (holds()) return true
    await pause(100)
  }
  return holds()
}

/** Every accepted prompt is in its thread's history, was handed back, or was said to be rejected. */
async function checkPrompts(soak: Soak): Promise<void> {
  const said = new Map<string, string>()
  for (let thread = 0; thread < THREADS; thread++) {
    const { body } = await soak.serving.ask('GET', `/api/threads/soak-${thread}/history`)
    said.set(`soak-${thread}`, JSON.stringify(body))
  }
  const lost = soak.accepted.filter(
    ({ threadId, text, fate }) =>
      fate === 'open' && !(said.get(threadId) ?? '').includes(JSON.stringify(text).slice(1, -1)),
  )
  assert.deepEqual(lost, [])
}
