import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { EnsoFollowFrame, EnsoPromptReceipt } from '../../src/core/index.js'
import { createFakeThreads, followRecorded, settleTicks } from '../support/fake-threads.js'

type Step =
  | { readonly do: 'prompt'; readonly admission?: 'interrupt' | 'enqueue' }
  | { readonly do: 'accept' | 'reject' | 'settle' | 'abort' | 'mode' | 'command' | 'own-run' | 'end-flows' | 'tick' }

const also = ['settle', 'settle', 'settle', 'abort', 'mode', 'command', 'own-run', 'end-flows'] as const
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ do: 'prompt' as const }) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('interrupt' as const, 'enqueue' as const)
      .map((admission) => ({ do: 'prompt' as const, admission })),
  },
  {
    weight: 6,
    arbitrary: fc.constantFrom('accept' as const, 'reject' as const, 'tick' as const).map((name) => ({ do: name })),
  },
  { weight: 4, arbitrary: fc.constantFrom(...also).map((name) => ({ do: name })) },
)

interface Held {
  readonly generation: number
  ends: number
}

/** Each acquisition, with how often its end was said while it was held. */
function acquisitionsOf(frames: readonly EnsoFollowFrame[], openers: ReadonlySet<string>): Held[] {
  const acquisitions: Held[] = []
  let held: Held | undefined
  for (const frame of frames) {
    if (frame.type === 'status') {
      if (frame.busy && held?.generation !== frame.generation) {
        assert.equal(held, undefined, 'a lease was taken while it was held')
        held = { generation: frame.generation, ends: 0 }
        acquisitions.push(held)
      } else if (!frame.busy) {
        if (held !== undefined) assert.equal(held.ends, 1, `acquisition ${held.generation} ended ${held.ends} times`)
        held = undefined
      }
      continue
    }
    if (frame.type !== 'observation') continue
    const { observation } = frame
    const ends =
      observation.kind === 'settled' || (observation.kind === 'prompt-rejected' && openers.has(observation.messageId))
    if (!ends) continue
    assert.ok(held, `${observation.kind} was said while nobody held the lease`)
    held.ends++
  }
  assert.equal(held, undefined, 'the thread is still busy at the end')
  return acquisitions
}

interface Script {
  readonly frames: readonly EnsoFollowFrame[]
  /** The prompts that opened an acquisition, as the runtime was told them. */
  readonly openers: ReadonlySet<string>
}

/** Plays the steps over a fake whose prompts are decided in the order it was told them, then closes. */
async function play(steps: readonly Step[]): Promise<Script> {
  const opened = new Set<number>()
  const openingTexts = new Set<string>()
  const { threads, host } = createFakeThreads({
    runtime: (parts) => ({
      abort: async () => undefined,
      prompt: (request, outcome) => {
        const generation = threads.live()[0]?.generation ?? 0
        if (!opened.has(generation)) openingTexts.add(request.message)
        opened.add(generation)
        parts.prompts.push({ request, outcome })
      },
    }),
  })
  await threads.ensure('one')
  const { follower } = await followRecorded(threads, 'one')
  const fake = host.thread('one')
  const receipts = new Map<string, string>()
  const pending: Promise<unknown>[] = []
  let prompted = 0
  let decided = 0

  async function prompt(admission: 'interrupt' | 'enqueue' | undefined): Promise<void> {
    const message = `prompt ${++prompted}`
    const outcome = await threads.operate('prompt', 'one', { message, ...(admission ? { admission } : {}) })
    if (outcome.ok) receipts.set((outcome.result as EnsoPromptReceipt).messageId, message)
  }

  function take(next: Step): unknown {
    switch (next.do) {
      case 'prompt':
        return pending.push(prompt(next.admission))
      case 'accept':
        return fake.prompts[decided] && fake.prompts[decided++]?.outcome.onAccepted()
      case 'reject':
        return fake.prompts[decided] && fake.prompts[decided++]?.outcome.onRejected('no')
      case 'settle':
        return fake.emit({ kind: 'settled' })
      case 'abort':
        return pending.push(threads.operate('abort', 'one', {}))
      case 'mode':
        return pending.push(threads.operate('mode', 'one', { mode: 'plan' }))
      case 'command':
        return pending.push(threads.operate('command', 'one', { name: 'compact' }))
      case 'own-run':
        fake.emit({ kind: 'turn-start' })
        return opened.add(threads.live()[0]?.generation ?? 0)
      case 'end-flows':
        return fake.flows.splice(0).forEach(({ outcome }) => {
          outcome.onAccepted()
          outcome.onSettled()
        })
      case 'tick':
        return settleTicks()
    }
  }

  for (const next of steps) {
    await take(next)
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  }
  for (const { outcome } of fake.flows.splice(0)) outcome.onRejected('over')
  await threads.close()
  await settleTicks()
  await Promise.all(pending)
  const openers = [...receipts].flatMap(([messageId, message]) => (openingTexts.has(message) ? [messageId] : []))
  return { frames: follower.frames, openers: new Set(openers) }
}

test('every acquisition ends with exactly one settled or prompt-rejected, and generations rise, whatever happens', async () => {
  const seen = { acquisitions: 0, rejected: 0, settled: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 50, size: 'max' }), async (steps) => {
      const { frames, openers } = await play(steps)
      const acquisitions = acquisitionsOf(frames, openers)
      assert.deepEqual(
        acquisitions.map(({ generation }) => generation),
        acquisitions.map((_, at) => at + 1),
      )
      seen.acquisitions += acquisitions.length
      for (const frame of frames) {
        if (frame.type !== 'observation') continue
        if (frame.observation.kind === 'settled') seen.settled++
        if (frame.observation.kind === 'prompt-rejected' && openers.has(frame.observation.messageId)) seen.rejected++
      }
    }),
    { numRuns: 200 },
  )
  assert.equal(seen.settled + seen.rejected, seen.acquisitions)
  assert.ok(seen.settled > 100 && seen.rejected > 10, JSON.stringify(seen))
})
