import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createCaseWorld } from '../../../scripts/corpus/world.js'
import { analyseCommand } from '../../../src/host/extensions/modes/analyse.js'
import {
  allowableCommands,
  looseSpellingsOf,
  shellKind,
  spellingsOf,
} from '../../../src/host/extensions/modes/shell-kind.js'

const place = createCaseWorld({ id: 'modes', tool: 'bash', input: {}, expect: 'allow' } as never, true)
after(() => place.remove())
const kind = (command: string): string => shellKind(analyseCommand(command, place.world))

const KINDS: Readonly<Record<string, readonly string[]>> = {
  'shell-read': [
    'cat a.ts',
    'git status && git diff | head -20',
    'ls 2>/dev/null',
    'for f in a b; do cat $f; done',
    'timeout 5 grep -r x .',
    'echo "rm -rf /"',
    'cat <<EOF\nrm x\nEOF',
    'find . -name "*.ts" | xargs wc -l',
    'x=$(git rev-parse HEAD); echo done',
    'for i in 1 2; do ((n=i+1)); done; [[ $n -gt 1 ]] && echo more',
    "sed -n '1,20p' a.ts | sed -e 's#a#b#g' -e '/x/,$d'",
    'test -f a.ts && printf "%s" x',
    'git log --oneline -- a.ts',
  ],
  'shell-files': ['mkdir a && touch a/b', 'echo x > a.txt', 'rm a b', 'sed -i s/a/b/ a.ts', 'cat a >> b'],
  'shell-low-risk': ['npm test', 'cd sub && npm run build', 'git add . && git commit -m "x"', 'npm test > log.txt'],
  'shell-other': [
    'npm install x',

    'python3 a.py',
    'bash -c "python3 a.py"',
    'cat a | sh',
    'sudo cat a',
    'FOO=1 npm test',
    '$cmd a',
    'eval "$x"',
    'cat $(python3 a.py)',
    'find . -exec python3 {} ;',
    'npm test; (python3 a.py)',
    'if true; then python3 a.py; fi',
    'f() { python3 a.py; }; f',
    'cat <(python3 a.py)',
    'echo "unclosed',
  ],
}

for (const [expected, commands] of Object.entries(KINDS)) {
  test(`shell texts that are ${expected} are found to be, however they are put`, () => {
    for (const command of commands) assert.equal(kind(command), expected, command)
  })
}

test('a program that an option names, however short it is spelled, and a file of its own is more than a reading', () => {
  for (const command of [
    'git grep --open=./e.sh foo',
    'git shortlog --output=o HEAD',
    'git reflog show --output=o',
    'git rev-list --output=o HEAD',
    'git blame --output=o a',
    'sort --comp=./e.sh -S 32k big',
    'sort --out=o a',
    'date --se=x',
    'xargs --arg-f=x ls',
    'go env -w GOFLAGS=-toolexec=./x',
    "sed 's|.*|touch x|e' a",
    "sed '1etouch x' a",
    'sed -n wout a',
    "sed '$!w out' a",
    "sed 's/a/b/mw out' a",
    'sed --fi=x a',
    "sed -i '1etouch x' a",
    "sed 's/[/]/w x/;p' a",
  ]) {
    assert.equal(kind(command), 'shell-other', command)
  }
  assert.notEqual(kind('git stash show -p --output=o'), 'shell-read')
  assert.notEqual(kind('go list -toolexec=./x .'), 'shell-read')
})

test('a variable that programs obey makes every command another one', () => {
  for (const command of [
    'PATH=.; ls',
    'PATH=.:$PATH; ls',
    'PATH+=:.; ls',
    'HOME=$PWD; git diff',
    'for PATH in .; do ls; done',
    'echo ${PATH:=.}; ls',
    'printf -v PATH %s .; ls',
    'x=$(PATH=.; ls)',
    'ls {PATH}>f; cat a',
    'coproc PATH { ls; }; ls',
    'LD_PRELOAD=./x.so; ls',
  ]) {
    assert.equal(kind(command), 'shell-other', command)
  }
})

test('a text that the shell works out as a sum could run something, and is no reading', () => {
  for (const command of [
    "[ -v 'x[$(touch p)]' ]",
    "test -v 'x[$(touch p)]'",
    "printf -v 'x[$(touch p)]' a",
    "[[ 'x[$(touch p)]' -eq 0 ]]; ls",
    "a='x[$(touch p)]'; ((a)); ls",
    "a='x[$(touch p)]'; for ((i=a;i<1;i++)); do ls; done",
    "a='x[$(touch p)]'; [[ a -eq 0 ]]; ls",
    "for a in 'x[$(touch p)]'; do [[ $a -gt 0 ]]; done; ls",
    "a='x[$(touch p)]'; b=${c:a:1}; ls",
    "a='$(touch p)'; b=${a@P}; ls",
    "a='x[$(touch p)]'; b=$((a)); ls",
  ]) {
    assert.equal(kind(command), 'shell-other', command)
  }
})

test('what a person may allow is each command that does more than read, as it is run', () => {
  const commands = allowableCommands(analyseCommand('cat a && npm run "my build" && FOO=1 npm test', place.world))
  assert.deepEqual(commands.map(spellingsOf), [["npm run 'my build'", 'npm run my build'], ['FOO=1 npm test']])
})

test('what is forbidden is found whatever is set before it and wherever its program lies', () => {
  const [command] = analyseCommand('FOO=1 ./node_modules/.bin/npm publish', place.world).commands
  assert.ok(looseSpellingsOf(command!).includes('npm publish'))
})

test('what is written beside and whether a folder outside is worked in is known', () => {
  const outside = (command: string): boolean => analyseCommand(command, place.world).leaves
  assert.deepEqual(analyseCommand('npm test > a.log 2>/dev/null; cat b >> c', place.world).writes, ['a.log', 'c'])
  assert.equal(outside('cd sub && npm test && cd - && cd sub/..'), false)
  for (const command of ['cd /tmp && npm test', 'cd .. && npm test', 'cd && npm test', 'cd sub; cd ../..; npm test']) {
    assert.equal(outside(command), true, command)
  }
})
