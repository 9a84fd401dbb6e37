import assert from 'node:assert/strict'
import { appendFileSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { createDayFile, type DayFile } from '../../src/log/day-file.js'
import { testFolder } from '../support/fake-cli.js'

const NOON = new Date(2030, 0, 2, 12).getTime()

async function dayFile(t: TestContext): Promise<{ file: DayFile; path: string; logsDir: string }> {
  const logsDir = join(await testFolder(t), 'logs')
  const file = createDayFile({ logsDir, retentionDays: 0, onLeftOver: (name) => assert.fail(name) })
  t.after(() => file.close())
  return { file, path: join(logsDir, 'enso-2030-01-02.jsonl'), logsDir }
}

test('what another process leaves unfinished takes no line of ours with it, at any time', async (t) => {
  const { file, path } = await dayFile(t)
  file.append('one\n', NOON)
  appendFileSync(path, 'whole of another\n')
  file.append('two\n', NOON)
  appendFileSync(path, 'torn')
  file.append('three\n', NOON)
  file.append('four\n', NOON)
  assert.equal(readFileSync(path, 'utf8'), 'one\nwhole of another\ntwo\ntorn\nthree\nfour\n')
})

test('a file that ends in half a line is gone on with on a new one', async (t) => {
  const { file, path, logsDir } = await dayFile(t)
  file.append('one\n', NOON)
  appendFileSync(path, 'torn')
  const next = createDayFile({ logsDir, retentionDays: 0, onLeftOver: (name) => assert.fail(name) })
  next.append('two\n', NOON)
  next.close()
  assert.equal(readFileSync(path, 'utf8'), 'one\ntorn\ntwo\n')
})

test('a folder that is removed under way is made again, for its owner alone', async (t) => {
  const { file, path, logsDir } = await dayFile(t)
  file.append('one\n', NOON)
  rmSync(logsDir, { recursive: true })
  file.append('two\n', NOON)
  assert.equal(readFileSync(path, 'utf8'), 'two\n')
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.equal(statSync(logsDir).mode & 0o777, 0o700)
})
