import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EnsoAbortReceipt, EnsoPromptReceipt, EnsoThreadCommands } from '../../src/core/index.js'
import { createWorld, extension, type Line } from '../support/e2e.js'
import { type Answer, type Door, DOORS } from '../support/two-doors.js'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says which receipt it is
function resultOf<T>(answer: Answer): T {
  assert.ok(answer.ok, answer.ok ? '' : answer.refusal.reason)
  return answer.result as T
}

function reasonOf(answer: Answer): string {
  assert.equal(answer.ok, false)
  return answer.ok ? '' : answer.refusal.reason
}

const isReply = (word: string) => (one: Line) => one['kind'] === 'text-delta' && String(one['delta']).includes(word)
const gate = (): { opened: Promise<void>; open(): void } => {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => void (open = resolve))
  return { opened, open }
}

/** The texts of the person's messages, in the order they reached the model. */
const promptsOf = (door: Door): string[] =>
  door.seen().flatMap((one) => (one.kind === 'message-start' && one.role === 'user' ? [String(one.text)] : []))

for (const [name, openDoor] of DOORS) {
  test(`${name}: prompts during a run are taken at the next step or behind it, images too, each once`, async (t) => {
    const { server, place } = await createWorld(t)
    const held = gate()
    server.enqueue(
      { deltas: ['work', 'ing'], delayUntil: held.opened, toolCalls: [{ name: 'ls', args: { path: '.' } }] },
      { text: 'second reply' },
      { text: 'third reply' },
    )
    const door = await openDoor(t, place)
    const first = resultOf<EnsoPromptReceipt>(await door.operate('prompt', { message: 'first' }))
    await door.when(isReply('work'))
    const later = { message: 'later', admission: 'enqueue', images: [{ data: PIXEL, mimeType: 'image/png' }] }
    const queued = resultOf<EnsoPromptReceipt>(await door.operate('prompt', later))
    const now = resultOf<EnsoPromptReceipt>(await door.operate('prompt', { message: 'now', admission: 'interrupt' }))
    assert.deepEqual([first.queued, queued.queued, now.queued], [false, true, true])
    assert.equal(queued.generation, first.generation)
    const queue = await door.when((one) => one['kind'] === 'queue' && (one['interrupting'] as []).length > 0)
    assert.deepEqual([queue['interrupting'], queue['enqueued']], [['now'], ['later']])
    held.open()
    await door.idle(1)
    assert.deepEqual(promptsOf(door), ['first', 'now', 'later'])
    assert.equal(server.requests.length, 3)
    assert.equal(JSON.stringify(server.requests[1]!.body).includes(PIXEL), false)
    assert.ok(JSON.stringify(server.requests[2]!.body).includes(PIXEL))
    assert.equal(door.seen().filter(({ kind }) => kind === 'settled').length, 1)
    await door.end()
  })

  test(`${name}: a stop ends questions first and hands back what waited, as it was typed`, async (t) => {
    const { server, place } = await createWorld(t)
    await place.write('home/.enso/agent/prompts/fix.md', '---\ndescription: fix it\n---\nA whole page about fixing.\n')
    server.otherwise({ toolCalls: [{ name: 'ask_things', args: { ask: ['confirm', 'confirm'] } }] })
    const door = await openDoor(t, place, extension('asks'))
    await door.operate('prompt', { message: 'first' })
    const question = await door.when((one) => one['kind'] === 'extension-ui-request' && one['blocking'] === true)
    await door.operate('prompt', { message: '/fix' })
    await door.operate('prompt', { message: 'and this', admission: 'interrupt' })
    const { restored } = resultOf<EnsoAbortReceipt>(await door.operate('abort'))
    assert.deepEqual(restored, ['and this', '/fix'])
    const settled = await door.when((one) => one['kind'] === 'dialog-settled' && one['id'] === question['id'])
    assert.equal(settled['outcome'], 'aborted')
    await door.idle(1)
    const asked = door.seen().filter((one) => one.kind === 'extension-ui-request' && one.blocking)
    assert.equal(asked.length, 1, 'no further question opened')
    assert.equal(server.requests.length, 1)

    server.otherwise({ text: 'going on' })
    await door.operate('prompt', { message: 'again' })
    await door.idle(2)
    assert.deepEqual(promptsOf(door), ['first', 'again'])
    await door.end()
  })

  test(`${name}: commands come from four sources, a word that is none is refused, a setting names its step`, async (t) => {
    const { server, place } = await createWorld(t)
    await place.write('home/.enso/agent/prompts/fix.md', '---\ndescription: fix it\n---\nPlease fix $1.\n')
    await place.write(
      'home/.enso/agent/skills/tidy/SKILL.md',
      '---\nname: tidy\ndescription: how to tidy up\n---\nTidy up.\n',
    )
    server.otherwise({ text: 'ok' })
    const door = await openDoor(t, place)
    await door.operate('prompt', { message: 'hello' })
    await door.idle(1)
    const { commands } = resultOf<EnsoThreadCommands>(await door.operate('commands'))
    const sources = (source: string): string[] => commands.filter((row) => row.source === source).map((row) => row.name)
    assert.deepEqual(sources('host'), ['model', 'thinking', 'login', 'logout', 'compact', 'context'])
    assert.deepEqual([sources('prompt'), sources('skill')], [['fix'], ['skill:tidy']])
    assert.ok(sources('extension').includes('mode'))
    assert.deepEqual(
      commands.filter(({ source }) => source === 'host').map(({ kind }) => kind),
      ['select', 'level', 'flow', 'flow', 'action', 'view'],
    )

    const asked = server.requests.length
    await door.operate('prompt', { message: '/nonsense please' })
    const rejected = await door.when((one) => one['kind'] === 'prompt-rejected')
    assert.match(String(rejected['reason']), /\/nonsense is no command/)
    await door.idle(2)
    await door.operate('prompt', { message: '/fix the tests' })
    await door.idle(3)
    assert.equal(server.requests.length, asked + 1)
    assert.match(JSON.stringify(server.requests.at(-1)!.body), /Please fix the\./)

    assert.match(reasonOf(await door.operate('command', { name: 'context' })), /runs nothing/)
    assert.match(reasonOf(await door.operate('command', { name: 'sing' })), /no host command/)
    const levels = reasonOf(await door.operate('configure', { model: 'local/think', thinking: 'xhigh', mode: 'plan' }))
    assert.match(levels, /^thinking: .*no thinking level xhigh/)
    const model = await door.when((one) => one['kind'] === 'model' && (one['model'] as Line)['id'] === 'think')
    assert.equal(model['thinkingLevel'] === 'xhigh', false)
    assert.equal(
      door.seen().some((one) => one.kind === 'permission-mode' && one.mode === 'plan'),
      false,
    )
    assert.match(reasonOf(await door.operate('configure', { model: 'local/none' })), /^model: /)
    assert.match(reasonOf(await door.operate('configure', { mode: 'none' })), /^mode: /)
    resultOf(await door.operate('configure', { thinking: 'low', mode: 'plan' }))
    await door.when((one) => one['kind'] === 'permission-mode' && one['mode'] === 'plan')
    await door.end()
  })

  test(`${name}: a compaction keeps the thread busy, a stop reaches it, and its end says the tokens`, async (t) => {
    const { server, place } = await createWorld(t)
    await place.write('home/.enso/agent/settings.json', '{"compaction":{"keepRecentTokens":1}}')
    server.enqueue(
      { text: 'one', usage: { input: 900, output: 50 } },
      { text: 'two', usage: { input: 950, output: 60 } },
    )
    const hold = gate()
    let summaries = 0
    server.otherwise(async (body: { tools?: unknown[] }) => {
      if (body.tools !== undefined) return { text: 'after' }
      summaries++
      if (summaries === 1) return { hang: 'no-headers' as const }
      await hold.opened
      return { text: 'a summary' }
    })
    const door = await openDoor(t, place)
    await door.operate('prompt', { message: 'one' })
    await door.idle(1)
    await door.operate('prompt', { message: 'two' })
    await door.idle(2)

    resultOf(await door.operate('command', { name: 'compact' }))
    await server.waitForRequest(3)
    resultOf(await door.operate('abort'))
    await door.idle(3)

    resultOf(await door.operate('command', { name: 'compact' }))
    const during = await door.operate('prompt', { message: 'meanwhile' })
    assert.equal(during.ok ? 'taken' : during.refusal.code, 'busy')
    assert.equal((await door.operate('configure', { mode: 'plan' })).ok, false)
    hold.open()
    const notice = await door.when(
      (one) => one['kind'] === 'extension-ui-request' && /compacted: \d+ of 32000 tokens/.test(String(one['message'])),
    )
    assert.ok(notice)
    await door.idle(4)
    const usage = door.seen().findLast((one) => one.kind === 'session-usage')
    assert.deepEqual(usage?.kind === 'session-usage' && usage.context, { tokens: null, window: 32_000, percent: null })

    await door.operate('prompt', { message: 'three' })
    await door.when((one) => one['kind'] === 'text-delta' && one['delta'] === 'after')
    await door.idle(5)
    const third = server.requests.map(({ body }) => JSON.stringify(body)).find((body) => body.includes('"three"'))
    assert.match(third ?? '', /a summary/)
    await door.end()
  })
}
