import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createModes } from '../../../src/host/extensions/modes/index.js'
import { NO_RULES } from '../../../src/host/extensions/modes/rules.js'
import { fakeExtensionApi, fakeThread } from './fakes.js'

async function modesOf(
  thread: ReturnType<typeof fakeThread>,
  options: { configured?: string; allowBypass?: boolean } = {},
) {
  const pi = fakeExtensionApi([])
  const modes = createModes({
    thread,
    call: {
      cwd: '/work',
      realPath: (path) => path,
      analyse: () => ({ commands: [], writes: [], leaves: false, doubt: undefined }),
    },
    guardDenies: () => false,
    rules: NO_RULES,
    configured: options.configured,
    allowBypass: options.allowBypass ?? false,
    now: () => new Date(0),
  })
  await modes.extension(pi.api)
  return { control: modes.control, pi }
}

test('without anything said the mode is default with a person and dontAsk without one', async () => {
  assert.equal((await modesOf(fakeThread({ canAsk: true }))).control.state().mode, 'default')
  assert.equal((await modesOf(fakeThread({ canAsk: false }))).control.state().mode, 'dontAsk')
})

test('the order is: this start’s flag, the branch, the person’s default', async () => {
  const entries = [{ customType: 'enso-permission-mode', data: { mode: 'plan' } }]
  const stored = await modesOf(fakeThread({ canAsk: true, entries: [...entries] }), { configured: 'auto' })
  assert.equal(stored.control.state().mode, 'plan')
  const configured = await modesOf(fakeThread({ canAsk: true }), { configured: 'auto' })
  assert.equal(configured.control.state().mode, 'auto')
  const thread = fakeThread({ canAsk: true, permissionMode: 'acceptEdits', entries: [...entries] })
  const flagged = await modesOf(thread, { configured: 'auto' })
  assert.equal(flagged.control.state().mode, 'acceptEdits')
  assert.equal(thread.entries.length, 1, 'looking writes nothing')
  await flagged.pi.start()
  assert.deepEqual(thread.entries[1]?.data, { mode: 'acceptEdits', by: 'flag', at: '1970-01-01T00:00:00.000Z' })
  assert.equal(flagged.control.state().mode, 'acceptEdits')
})

test('bypass is not restored, not configured and not offered unless the start allowed it', async () => {
  const entries = [{ customType: 'enso-permission-mode', data: { mode: 'bypassPermissions' } }]
  const without = await modesOf(fakeThread({ canAsk: true, entries }), { configured: 'bypassPermissions' })
  assert.equal(without.control.state().mode, 'default')
  assert.equal(without.control.state().available.includes('bypassPermissions'), false)
  await assert.rejects(without.control.set('bypassPermissions'), /--allow-bypass/)
  const allowed = await modesOf(fakeThread({ canAsk: true, entries }), { allowBypass: true })
  assert.equal(allowed.control.state().mode, 'bypassPermissions')
})

test('a change is an entry on the branch, and setting the same again is none', async () => {
  const thread = fakeThread({ canAsk: true })
  const { control } = await modesOf(thread)
  await control.set('plan')
  await control.set('plan')
  assert.equal(thread.entries.length, 1)
  assert.equal(control.state().mode, 'plan')
  await assert.rejects(control.set('constructor'), /no permission mode/)
})

test('a mode can be switched by its own command, and asked for', async () => {
  const thread = fakeThread({ canAsk: true })
  const { control, pi } = await modesOf(thread)
  await pi.command('acceptEdits')
  assert.equal(control.state().mode, 'acceptEdits')
  await pi.command('mode', ' plan ')
  assert.equal(control.state().mode, 'plan')
  await pi.command('mode')
  assert.match(thread.notices.at(-1) ?? '', /permission mode plan \(of default, acceptEdits, plan, auto, dontAsk\)/)
  await pi.command('mode', 'bypassPermissions')
  assert.equal(control.state().mode, 'plan')
  assert.match(thread.notices.at(-1) ?? '', /--allow-bypass/)
})

test('a damaged entry on the branch is no mode', async () => {
  for (const data of [undefined, null, 'plan', { mode: 7 }, { mode: '__proto__' }]) {
    const { control } = await modesOf(
      fakeThread({ canAsk: true, entries: [{ customType: 'enso-permission-mode', data }] }),
    )
    assert.equal(control.state().mode, 'default')
  }
})
