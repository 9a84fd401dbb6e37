import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { matchesGlob } from '../../../src/host/extensions/modes/glob.js'
import { isFileWork, isLowRisk, isReadOnly } from '../../../src/host/extensions/modes/known-commands.js'
import { plainText, showChange } from '../../../src/host/extensions/modes/show.js'

const words = (line: string): string[] => line.split(' ')

test('commands that only read are known by name and by what they are given', () => {
  const reads =
    'ls -la|cat a b|git status|git log --oneline -5|git diff HEAD|git branch|git branch -a|git stash list|find . -name *.ts|sed -n 1,5p a|sort a|uniq a|rg x|node --version|npm ls|grep -r x .|[ -f a ]'
  for (const line of reads.split('|')) assert.equal(isReadOnly(words(line)), true, line)
  const not =
    'git push|git branch -D x|git branch new|git diff --output=x|git diff --ext-diff|git stash|git config user.name x|git grep -Oless x|find . -delete|find . -exec rm {} ;|find . -fprint x|sed -i s/a/b/ a|sed s/a/b/w out a|sed 1e a|sort -o a b|sort --output=a b|uniq a b|rg --pre x y|node a.js|npm test|python3 -c x|awk {}|tee a|dd|constructor|__proto__|toString|date -s x|file -C|tree -o x|xxd -r a b|env|bash'
  for (const line of not.split('|')) assert.equal(isReadOnly(words(line)), false, line)
})

test('file work and low-risk commands are no more than that', () => {
  for (const line of ['mkdir -p a', 'rm a', 'mv a b', 'sed -i s/a/b/ a'])
    assert.equal(isFileWork(words(line)), true, line)
  for (const line of ['chmod +x a', 'ln -s a b', 'sed -i -f s a', 'sed -i 1e a'])
    assert.equal(isFileWork(words(line)), false, line)
  for (const line of ['npm test', 'npm run build', 'cargo test', 'git commit -m x', 'python3 -m pytest', 'make all']) {
    assert.equal(isLowRisk(words(line)), true, line)
  }
  for (const line of [
    'npm install x',
    'npx x',
    'node a.js',
    'python3 a.py',
    'git push',
    'make SHELL=/bin/evil',
    'make -f x',
    'cargo run',
  ]) {
    assert.equal(isLowRisk(words(line)), false, line)
  }
})

test('a pattern matches whole texts only, and takes no time on hostile ones', () => {
  assert.equal(matchesGlob('npm run *', 'npm run build'), true)
  assert.equal(matchesGlob('npm run *', 'xnpm run build'), false)
  assert.equal(matchesGlob('npm test', 'npm test --x'), false)
  assert.equal(matchesGlob('*', ''), true)
  assert.equal(matchesGlob('a*a', 'a'), false)
  assert.equal(matchesGlob('src/*.ts', 'src/a/b.ts'), true)
  assert.equal(matchesGlob('*a'.repeat(200), 'a'.repeat(100_000) + 'b'), false)
})

test('what a person is shown has nothing in it that changes how it looks', () => {
  assert.equal(plainText('rm \u202egpj.exe\u200b\u001b[2K\n\tok'), 'rm \\u202egpj.exe\\u200b\\u001b[2K\n\tok')
})

test('a change is shown with its real path and as a diff', () => {
  const shown = showChange('edit', { edits: [{ oldText: 'one\ntwo\n', newText: 'one\n2\n' }] }, '/work/a.ts')
  assert.match(shown, /^\/work\/a\.ts\n\n/)
  assert.match(shown, /^-two$/m)
  assert.match(shown, /^\+2$/m)
  assert.match(showChange('write', { content: 'a\nb' }, '/nowhere/x'), /\+a\n\+b/)
  assert.match(showChange('write', { content: 'x\n'.repeat(500) }, '/nowhere/x'), /and 4\d\d more lines/)
})

test('a change is compared where that takes little, and else said to replace all', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'enso-show-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const lines = (count: number, word: string): string =>
    Array.from({ length: count }, (_, n) => `${word} ${n}\n`).join('')
  const file = join(dir, 'a.txt')
  writeFileSync(file, lines(20_000, 'before'))
  const content = lines(20_000, 'before').replace('before 7\n', 'after 7\n')
  assert.match(showChange('write', { content }, file), /^-before 7\n\+after 7$/m)
  const all = /\(all of it is replaced\)\n\+after 0\n/
  assert.match(showChange('write', { content: lines(20_000, 'after') }, file), all)
  const edits = [{ oldText: lines(20_000, 'before'), newText: lines(20_000, 'after') }]
  assert.match(showChange('edit', { edits }, file), all)
  truncateSync(file, 600 * 1024 * 1024)
  assert.match(showChange('write', { content: 'after 0\n' }, file), /\(all of it is replaced\)\n\+after 0$/)
})
