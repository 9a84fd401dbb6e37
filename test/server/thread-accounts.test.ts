import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EnsoContextRequestDetail, EnsoThreadContext, EnsoThreadStats } from '../../src/core/index.js'
import { createSessionStore } from '../../src/host/session/session-store.js'
import { testFolder } from '../support/fake-cli.js'
import { servedApp } from '../support/served-app.js'
import { workedThread } from '../support/session-lines.js'

test('a stored thread’s accounts are read over HTTP, one request’s context by its number in the path', async (t) => {
  const threadsDir = await testFolder(t)
  workedThread().writeTo(threadsDir, 'p')
  const { ask, host } = servedApp(t, { store: createSessionStore({ threadsDir }) })
  const read = async <T>(path: string): Promise<T> => {
    const response = await ask(`/api/threads/worked-1/${path}`)
    assert.equal(response.status, 200, path)
    return (await response.json()) as T
  }
  const stats = await read<EnsoThreadStats>('stats')
  assert.deepEqual([stats.live, stats.turnStats.length, stats.logDays], [false, 6, []])
  const context = await read<EnsoThreadContext>('context')
  assert.equal(context.requests.length, 6)
  assert.equal((await read<EnsoContextRequestDetail>('context/6')).request, 6)
  assert.equal((await read<EnsoContextRequestDetail>('context/next')).request, 'next')
  assert.deepEqual(await read('timeline'), { threadId: 'worked-1', entries: [], logRecords: 0 })
  assert.equal(host.opened.length, 0)

  assert.equal((await ask('/api/threads/worked-1/context/7')).status, 404)
  for (const wrong of ['0', '06', 'last', '1e3', '-1']) {
    assert.equal((await ask(`/api/threads/worked-1/context/${wrong}`)).status, 400, wrong)
  }
  for (const path of ['stats', 'context', 'context/1', 'timeline']) {
    assert.equal((await ask(`/api/threads/nobody/${path}`)).status, 404, path)
  }
})
