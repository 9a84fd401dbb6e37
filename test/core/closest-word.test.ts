import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closestWord } from '../../src/core/index.js'

const known = ['allow', 'ask', 'deny', 'defaultModel', 'permission-mode']

test('a misspelt word finds the known one', () => {
  for (const [word, meant] of [
    ['alow', 'allow'],
    ['allwo', 'allow'],
    ['defaultmodel', 'defaultModel'],
    ['default_model', 'defaultModel'],
    ['permision-mode', 'permission-mode'],
    ['dny', 'deny'],
  ] as const) {
    assert.equal(closestWord(word, known), meant)
  }
})

test('a word that is like none finds none', () => {
  for (const word of ['', 'zebra', 'sandbox', 'x'.repeat(50)]) assert.equal(closestWord(word, known), undefined)
  assert.equal(closestWord('allow', []), undefined)
})
