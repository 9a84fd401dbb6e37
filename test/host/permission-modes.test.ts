import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENSO_PERMISSION_MODE_ENTRY } from '../../src/core/index.js'
import type { ThreadPartsContext } from '../../src/host/thread-parts.js'
import { bench } from './host-bench.js'
import type { BenchThread } from './host-bench.js'

const setMode = (thread: BenchThread, mode: string): Promise<string> =>
  new Promise((resolve) => {
    thread.hosted.runtime.setPermissionMode(mode, { onAccepted: () => resolve('accepted'), onRejected: resolve })
  })

test('without a part that enforces modes there is only the default one', async (t) => {
  const { open } = await bench(t)
  const thread = await open()
  assert.deepEqual(thread.hosted.runtime.permissionModeState(), { mode: 'default', available: ['default'] })
  assert.match(await setMode(thread, 'plan'), /no permission mode plan/)
  assert.deepEqual(thread.all('permission-mode-rejected'), [
    { kind: 'permission-mode-rejected', mode: 'plan', reason: 'there is no permission mode plan' },
  ])
})

test('a mode is kept as an entry of the thread, and each change is said once with what is offered', async (t) => {
  const available = ['default', 'plan']
  const modes = (context: ThreadPartsContext) => {
    const state = () => {
      const { mode } = (context.lastCustomEntry(ENSO_PERMISSION_MODE_ENTRY) ?? { mode: 'default' }) as { mode: string }
      return { mode, available }
    }
    const set = async (mode: string): Promise<void> => {
      if (!available.includes(mode)) throw new Error(`no ${mode} here`)
      context.appendCustomEntry(ENSO_PERMISSION_MODE_ENTRY, { mode })
    }
    return { state, set }
  }
  const it = await bench(t, { parts: (context) => ({ customTools: [], extensions: [], modes: modes(context) }) })
  it.server.otherwise({ text: 'ok' })
  const thread = await it.open()
  assert.equal(await setMode(thread, 'plan'), 'accepted')
  assert.deepEqual(thread.all('permission-mode'), [{ kind: 'permission-mode', mode: 'plan', available }])
  assert.deepEqual(thread.all('custom-entry'), [
    { kind: 'custom-entry', customType: ENSO_PERMISSION_MODE_ENTRY, data: { mode: 'plan' } },
  ])
  assert.equal(await setMode(thread, 'auto'), 'no auto here')
  await thread.run('hello')
  await thread.hosted.close()
  const { threadId, sessionFile } = thread.hosted
  const again = await it.open({ threadId, session: { kind: 'stored', file: sessionFile! } })
  assert.deepEqual(again.hosted.runtime.permissionModeState(), { mode: 'plan', available })
})
