import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundedWork, isOutOfTime } from '../../../src/host/extensions/guards/bounded-work.js'
import { createPlainWorld } from './plain-world.js'

const filled = (text: string): string => text.repeat(Math.floor(32_000 / text.length))

test('a text made to keep a pattern busy is refused, and the guards go on', (t) => {
  const { bash } = createPlainWorld(t)
  assert.equal(bash(`python3 -c "import socket ${filled('. get ')}"`), 'cc-safety-net')
  assert.equal(bash(filled('eval ')), 'cc-safety-net')
  assert.equal(bash('npm test'), 'allowed')
})

test('the environment is as before after a check that was ended', (t) => {
  const { bash } = createPlainWorld(t)
  const before = { ...process.env }
  bash(filled('`'))
  assert.deepEqual({ ...process.env }, before)
})

test('a path of many segments is followed to its end', (t) => {
  const { ask, world } = createPlainWorld(t)
  const decision = ask('read', { path: `${world.cwd}${'/'.repeat(200_000)}.env` })
  assert.deepEqual(decision.kind === 'deny' && decision.rule, 'secret-read')
})

test('a package.json of more install scripts than any package has is refused', (t) => {
  const { ask } = createPlainWorld(t)
  const content = Array.from({ length: 40 }, (_, at) => `"postinstall": "node ${at}.js"`).join(',\n')
  const decision = ask('write', { path: 'package.json', content: `{"scripts":{${content}}}` })
  assert.deepEqual(decision.kind === 'deny' && decision.rule, 'persistence-write')
})

test('work over a short text is done as it is; what it throws comes through', () => {
  assert.equal(
    boundedWork('x', () => 1),
    1,
  )
  const fault = new Error('its own')
  for (const text of ['x', 'x'.repeat(10_000)]) {
    assert.throws(
      () =>
        boundedWork(text, () => {
          throw fault
        }),
      (error) => error === fault && !isOutOfTime(error),
    )
  }
})
