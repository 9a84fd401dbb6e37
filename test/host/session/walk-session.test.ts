import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { EnsoTranscriptEntry } from '../../../src/core/index.js'
import { indexBranch } from '../../../src/host/session/branch-index.js'
import { decodeEntry } from '../../../src/host/session/decode-entries.js'
import { readSession } from '../../../src/host/session/read-session.js'
import { usageOfEntries } from '../../../src/host/session/usage-of-entries.js'
import { walkSession } from '../../../src/host/session/walk-session.js'
import { testFolder } from '../../support/fake-cli.js'
import { call, sessionLines, words } from '../../support/session-lines.js'

const SPENT = { input: 10, output: 1, cost: 0.5 }

async function walked(file: string): Promise<EnsoTranscriptEntry[]> {
  const entries: EnsoTranscriptEntry[] = []
  await walkSession(file, (entry) => void entries.push(entry))
  return entries
}

const step = fc.record({
  what: fc.constantFrom('prompt', 'reply', 'call', 'result', 'custom', 'back'),
  text: fc.constantFrom('said', '"parentId":"e0000001"', 'two\nlines', '}{"type":"message","id":"x"', 'ü'),
  back: fc.nat(10),
})

test('a walk shows what reading the whole file shows, whatever branches it has', async (t) => {
  const file = join(await testFolder(t), 'session.jsonl')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.nat(3), async (steps, torn) => {
      const lines = sessionLines('t', '/work')
      const ids: string[] = []
      for (const { what, text, back } of steps) {
        if (what === 'back') {
          if (ids.length > 0) lines.goBackTo(ids[back % ids.length]!)
          continue
        }
        if (what === 'prompt') lines.prompt(text)
        else if (what === 'reply') lines.reply([words(text)], SPENT)
        else if (what === 'call') lines.reply([call('c', 'read', { path: text })], SPENT)
        else if (what === 'result') lines.result('c', 'read', text)
        else lines.custom('enso-permission-mode', { mode: text })
        ids.push(lines.leaf())
      }
      const text = lines.text()
      writeFileSync(file, torn === 0 ? text.slice(0, -5) : text)
      const whole = await readSession(file).catch(() => undefined)
      if (whole === undefined) return assert.rejects(walkSession(file, () => undefined))
      assert.deepEqual(await walked(file), whole.branch.map(decodeEntry))
      const told = await walkSession(file, () => undefined)
      assert.equal(told.skippedLines, whole.skippedLines)
      assert.deepEqual(told.usage, usageOfEntries(whole.all, null))
    }),
    { numRuns: 150 },
  )
})

test('a file in which an id stands twice, or a parent behind its child, is read whole', async (t) => {
  const file = join(await testFolder(t), 'session.jsonl')
  const entry = (id: string, parentId: string | null) =>
    JSON.stringify({ type: 'message', id, parentId, timestamp: 'x', message: { role: 'user', content: id } })
  const header = JSON.stringify({ type: 'session', version: 3, id: 't', timestamp: 'x', cwd: '/' })
  for (const entries of [
    [entry('a', null), entry('b', 'a'), entry('a', 'b')],
    [entry('a', 'b'), entry('b', null), entry('c', 'a')],
  ]) {
    writeFileSync(file, `${[header, ...entries].join('\n')}\n`)
    assert.equal(await indexBranch(file), undefined)
    const { branch } = await readSession(file)
    assert.deepEqual(await walked(file), branch.map(decodeEntry))
  }
})

test('a walk waits for whoever is shown an entry, and ends when nothing more is wanted', async (t) => {
  const lines = sessionLines('t', '/work')
  for (let n = 0; n < 5; n++) lines.prompt(`prompt ${n}`)
  const file = lines.writeTo(await testFolder(t), 'p')
  let open = 0
  let seen = 0
  await walkSession(file, async () => {
    assert.equal(open++, 0)
    await Promise.resolve()
    open--
    return ++seen < 3
  })
  assert.equal(seen, 3)
})
