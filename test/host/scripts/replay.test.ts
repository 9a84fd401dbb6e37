import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type EnsoObservation, type EnsoScript, parseScript } from '../../../src/core/index.js'
import { createScriptProvider } from '../../../src/host/scripts/script-provider.js'
import { createScriptRecorder } from '../../../src/host/scripts/script-recorder.js'
import { bench } from '../host-bench.js'
import type { Bench, BenchThread } from '../host-bench.js'

/** An observation as a line, without what names the model: a replay is of another provider. */
function line(observation: EnsoObservation): string {
  const { model: _model, provider: _provider, ...rest } = observation as unknown as Record<string, unknown>
  return JSON.stringify(rest)
}

/** Everything that was observed, in order; which model it is, is not what it said. */
const observed = ({ seen }: BenchThread): string[] => seen.filter(({ kind }) => kind !== 'model').map(line)

/** Two prompts: tools that really run, a failure that is retried, thinking, exact chunks. */
async function run({ cwd }: Bench, thread: BenchThread): Promise<void> {
  writeFileSync(join(cwd, 'notes.txt'), 'three words here\n')
  await thread.run('what do the notes say?')
  await thread.run('and the folder?')
}

test('a run recorded once is observed again byte for byte, without the endpoint', async (t) => {
  let script: EnsoScript | undefined
  const live = await bench(t, {
    recorder: createScriptRecorder({ redact: (text) => text, write: (next) => (script = structuredClone(next)) }),
  })
  live.server.enqueue(
    { deltas: ['I look ', 'at it.\u2028', ' 🎉'], toolCalls: [{ name: 'read', args: { path: 'notes.txt' } }] },
    { status: 503 },
    { text: 'Three words.', usage: { input: 100, output: 50, cacheRead: 20 } },
    {
      text: 'Now this.',
      toolCalls: [
        { name: 'ls', args: { path: '.' } },
        { name: 'read', args: { path: 'none' } },
      ],
    },
    { deltas: ['One ', 'file', '.'], stopReason: 'length' },
  )
  const first = await live.open({ threadId: 'replayed' })
  await run(live, first)
  assert.equal(live.server.requests.length, 5)

  const parsed = parseScript(JSON.stringify(script))
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.reason)
  const provider = createScriptProvider(parsed.script)
  const again = await bench(t, { registerProviders: provider.register })
  const second = await again.open({ threadId: 'replayed', model: provider.model })
  await run(again, second)
  assert.equal(again.server.requests.length, 0)
  const normal = (lines: string[], { cwd }: Bench): string => lines.join('\n').replaceAll(cwd, '/work')
  assert.equal(normal(observed(second), again), normal(observed(first), live))
})
