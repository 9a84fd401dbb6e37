import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ensoHome, expandHome } from '../../src/system/home.js'

test('everything is kept under ~/.enso unless the environment says where', () => {
  const home = ensoHome({ HOME: '/home/me' })
  assert.equal(home.root, '/home/me/.enso')
  assert.equal(home.agentDir, '/home/me/.enso/agent')
  assert.equal(home.threadsDir, '/home/me/.enso/threads')
  assert.equal(ensoHome({ HOME: '/home/me', ENSO_HOME: '~/elsewhere' }).logsDir, '/home/me/elsewhere/logs')
  assert.equal(ensoHome({ HOME: '/home/me', ENSO_HOME: '' }).root, '/home/me/.enso')
})

test('the agent’s folder can be another one', () => {
  const home = ensoHome({ HOME: '/home/me', ENSO_AGENT_DIR: '~/.other/agent' })
  assert.deepEqual([home.agentDir, home.root], ['/home/me/.other/agent', '/home/me/.enso'])
})

test('a leading tilde is the home, and only that', () => {
  const env = { HOME: '/home/me' }
  assert.equal(expandHome('~', env), '/home/me')
  assert.equal(expandHome('~/a', env), '/home/me/a')
  assert.equal(expandHome('~other/a', env, '/work'), '/work/~other/a')
  assert.equal(expandHome('/abs', env, '/work'), '/abs')
  assert.equal(expandHome('../a', env, '/work/b'), '/work/a')
})
