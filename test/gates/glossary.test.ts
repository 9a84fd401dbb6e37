import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inRoot } from '../support/root.js'
import { sourceFiles } from '../support/source-imports.js'

/** Words of the agent library that have a word of ours, and ours. They may stand under src/host only. */
const VENDOR_WORDS: Readonly<Record<string, RegExp>> = {
  interrupt: /\bsteer(?:ing)?\b/i,
  enqueue: /\bfollow-?up\b/i,
  'thread, session': /\bPi[A-Z]\w*|\bpi-rpc\b/,
}

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')

test('the agent library’s own words stay under the host', () => {
  const files = sourceFiles().filter((file) => !file.startsWith('src/host/'))
  assert.ok(files.length > 30, `found only ${files.length} files`)
  const wrong = files.flatMap((file) => {
    const text = withoutComments(readFileSync(inRoot(file), 'utf8'))
    return Object.entries(VENDOR_WORDS)
      .filter(([, word]) => word.test(text))
      .map(([ours]) => `${file}: say ${ours}`)
  })
  assert.deepEqual(wrong, [])
})

test('every entry of the glossary has a meaning, and the words the contract is made of are in it', () => {
  const text = readFileSync(inRoot('docs/glossary.md'), 'utf8')
  const entries = [...text.matchAll(/^- \*\*(.+?)\*\* — (.+)$/gm)]
  assert.ok(entries.length >= 40, `found only ${entries.length} entries`)
  const names = entries.map(([, name = '']) => name.toLowerCase())
  assert.equal(new Set(names).size, names.length, 'an entry stands twice')
  for (const [, name, meaning = ''] of entries) assert.ok(meaning.length > 20, `${name} is not explained`)
  const needed =
    'thread, run, turn, prompt, admission, lease, generation, observation, feed, follow, snapshot, dialog, answer, outcome, refusal, guard, denial, permission mode, session, host, runtime, surface'
  for (const word of needed.split(', ')) assert.ok(names.includes(word), `${word} is missing`)
})
