import assert from 'node:assert/strict'
import { test } from 'node:test'
import { average } from '../src/average.js'

test('the average counts every reading', () => {
  assert.equal(average([2, 4, 6]), 4)
})

test('one reading is its own average', () => {
  assert.equal(average([7]), 7)
})

test('no readings average to something a report can print', () => {
  assert.notEqual(String(average([])), 'NaN')
})
