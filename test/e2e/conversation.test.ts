import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createWorld, LOCAL } from '../support/e2e.js'
import type { Place } from '../support/run-enso.js'
import { openEnsoTerminal } from '../support/terminal.js'

/** A conversation over the scripted endpoint, and words for what a person does in it. */
async function converse(t: TestContext, place: Place, args: readonly string[]) {
  const terminal = await openEnsoTerminal(t, place, args, { columns: 100, rows: 60 })
  await terminal.waitFor(/^›/m)
  const enter = async (text: string): Promise<void> => {
    await terminal.type(text)
    await terminal.press('Enter')
  }
  return { ...terminal, enter }
}

interface Body {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
  readonly tools?: readonly unknown[]
}

const gate = (): { opened: Promise<void>; open(): void } => {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => void (open = resolve))
  return { opened, open }
}

test('a whole conversation: prompts, an interruption, a stop that hands back, another model, a compaction, and its resume', async (t) => {
  const { server, place } = await createWorld(t)
  await place.write('home/.enso/agent/settings.json', '{"compaction":{"keepRecentTokens":1}}')
  const sent = (n: number): Body => server.requests[n - 1]!.body as Body
  const terminal = await converse(t, place, ['--thread-id', 'talk', ...LOCAL])

  server.enqueue({ text: 'Good morning.' })
  await terminal.enter('hello')
  await terminal.waitFor(/Good morning\.\n[^]*\n›/)

  // An interruption is taken at the next step of the run.
  const held = gate()
  server.enqueue(
    { text: 'Looking around.', delayUntil: held.opened, toolCalls: [{ name: 'ls', args: { path: '.' } }] },
    { text: 'The attic, then.' },
  )
  await terminal.enter('look around')
  await terminal.waitFor('Looking around.')
  await terminal.enter('only in the attic')
  await terminal.waitFor('waiting: "only in the attic"')
  held.open()
  await terminal.waitFor(/The attic, then\.\n[^]*\n›/)
  assert.match(JSON.stringify(sent(3).messages.at(-1)), /only in the attic/)

  // A stop ends the run; what waited is offered again and can be sent.
  server.enqueue({ text: 'One long story', hang: 'mid' }, { text: 'Briefly: no.' })
  await terminal.enter('tell me a story')
  await terminal.waitFor('One long story')
  await terminal.enter('make it short')
  await terminal.waitFor('waiting: "make it short"')
  await terminal.press('C-c')
  await terminal.waitFor(/stopping…[^]*\n› make it short/)
  await terminal.press('Enter')
  await terminal.waitFor(/Briefly: no\.\n[^]*\n›/)
  assert.equal(server.requests.length, 5)

  await terminal.enter('/model local/think')
  await terminal.waitFor(/model: local\/think/)
  server.enqueue({ text: 'Thinking now.' })
  await terminal.enter('and you are?')
  await terminal.waitFor(/Thinking now\.\n[^]*\n›/)
  assert.equal(sent(6).model, 'think')

  server.otherwise({ text: 'They spoke of an attic.' })
  await terminal.enter('/compact')
  await terminal.waitFor(/compacted: \d+ of 32000 tokens are now a summary[^]*\n›/)
  const asked = server.requests.length
  assert.equal(sent(asked).tools, undefined)
  await terminal.press('C-d')
  assert.equal(await terminal.exitCode(), 0)

  // Another process goes on with the summary and the model.
  const again = await converse(t, place, ['-c'])
  assert.match(await again.all(), /continuing thread talk “hello”/)
  server.otherwise({ text: 'Still here.' })
  await again.enter('still there?')
  await again.waitFor(/Still here\.\n[^]*\n›/)
  const last = sent(server.requests.length)
  assert.equal(last.model, 'think')
  assert.match(JSON.stringify(last.messages), /They spoke of an attic\..*still there\?/)
  assert.doesNotMatch(JSON.stringify(last.messages), /tell me a story/)
  await again.press('C-d')
  assert.equal(await again.exitCode(), 0)
})
