import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startModelServer } from '../support/model-server.js'
import { createPlace, runEnso } from '../support/run-enso.js'

test('the model is told where it works and with what, and nothing of another program', async (t) => {
  const server = await startModelServer()
  t.after(() => server.close())
  const place = await createPlace(t, { server })
  await place.write('work/AGENTS.md', 'Always say please.')
  server.enqueue({ text: 'hello' })
  const run = await runEnso(t, place, ['-m', 'local/x', '--append-system-prompt', 'Be brief.', 'hi'])
  assert.equal(run.exitCode, 0, run.stderr)
  const body = server.requests[0]?.body as {
    messages: { content: string }[]
    tools: { function: { name: string } }[]
  }
  const prompt = body.messages[0]?.content ?? ''
  assert.match(prompt, /operating inside enso/)
  assert.doesNotMatch(prompt, /Pi documentation|inside pi|examples\/extensions|pi packages/)
  for (const kept of [
    'Show file paths clearly',
    'Be brief.',
    'Always say please.',
    `Current working directory: ${place.cwd}`,
  ]) {
    assert.ok(prompt.includes(kept), kept)
  }
  const names = body.tools.map((tool) => tool.function.name)
  assert.deepEqual([...new Set(names)], names, 'a tool is offered twice')
})
