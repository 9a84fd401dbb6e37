import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { composeResult } from '../../../src/cli/run/run-result.js'
import { logRunBegin, logRunEnd } from '../../../src/cli/run/run-log.js'
import { logLineText, type EnsoLogLine } from '../../../src/core/index.js'
import { configureLogging } from '../../../src/log/configure.js'
import { createKnownSecrets } from '../../../src/log/redact/known-secrets.js'
import { testFolder } from '../../support/fake-cli.js'
import { createManualClock } from '../../support/manual-clock.js'

const NO_DIALOGS = { answered: 0, byRule: 0, cancelled: 0, timedOut: 0, aborted: 0 }

test('the log says where a run began and how it ended, as a warning where it was not done', async (t) => {
  const logsDir = join(await testFolder(t), 'logs')
  const clock = createManualClock()
  const handle = await configureLogging({ logsDir, process: 'cli', env: {}, secrets: createKnownSecrets(), clock })
  logRunBegin({ version: '1.2.3', cwd: '/work', model: 'local/x' })
  const parts = { threadId: 't', records: [], dialogs: NO_DIALOGS, restored: [], durationMs: 5 }
  logRunEnd(composeResult({ ...parts, end: { fault: { code: 'disk', message: 'no room' } } }))
  await handle.close()
  const [name = ''] = readdirSync(logsDir)
  const lines = readFileSync(join(logsDir, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as EnsoLogLine)
  const [, begun, ended] = lines
  assert.ok(begun !== undefined && ended !== undefined)
  assert.match(logLineText(begun), /^enso 1\.2\.3 on node \S+, \S+ \S+, in \/work$/)
  assert.equal(begun.properties?.['model'], 'local/x')
  assert.equal(ended.level, 'WARN')
  assert.match(logLineText(ended), /^the run ended as \w+, exit code \d: no room$/)
  assert.equal(ended.properties?.['threadId'], 't')
})
