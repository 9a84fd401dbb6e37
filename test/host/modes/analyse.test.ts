import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createCaseWorld } from '../../../scripts/corpus/world.js'
import { analyseCommand } from '../../../src/host/extensions/modes/analyse.js'
import { allowableParts, shellKind } from '../../../src/host/extensions/modes/shell-kind.js'

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

test('what a person may allow is each part that does more than read, as it is run', () => {
  assert.deepEqual(allowableParts(analyseCommand('cat a && npm run "my build" && echo x', place.world)), [
    'npm run my build',
  ])
})
