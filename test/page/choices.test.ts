import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ENSO_IMAGE_MIME_TYPES,
  validateDialogAnswer,
  type EnsoQuestion,
  type RuntimeCommand,
} from '../../src/core/index.js'
import { IMAGE_TYPES, imageOfDataUrl, imageRefusal } from '../../src/page/model/images.js'
import { modeLabel, modeOption, START_MODES } from '../../src/page/model/modes.js'
import { commandGroups, matchingOptions, typedCommand } from '../../src/page/model/palette.js'
import { answersOf, EMPTY_DRAFT, toggleOption, toggleOwn } from '../../src/page/model/questionnaire.js'
import { hashOf, routeOf, tokenIn } from '../../src/page/model/route.js'
import { threadGroups } from '../../src/page/model/thread-groups.js'
import { toolFacts, toolHint, wasStopped } from '../../src/page/model/tool-facts.js'

const QUESTION: EnsoQuestion = {
  header: 'Color',
  question: 'Which?',
  options: [{ label: 'Red' }, { label: 'Green' }],
  multiSelect: false,
}
const MANY: EnsoQuestion = { ...QUESTION, header: 'Many', multiSelect: true }

test('a questionnaire’s drafts become answers that the one validator takes', () => {
  const one = toggleOption(QUESTION, toggleOption(QUESTION, EMPTY_DRAFT, 'Red'), 'Green')
  assert.deepEqual(one.selected, ['Green'])
  let many = toggleOption(MANY, toggleOption(MANY, EMPTY_DRAFT, 'Red'), 'Green')
  many = { ...toggleOwn(MANY, toggleOption(MANY, many, 'Red')), own: 'blue' }
  const result = answersOf([one, many])
  assert.deepEqual(result, { answers: [{ selected: ['Green'] }, { selected: ['Green'], other: 'blue' }] })
  const spec = { method: 'questionnaire', title: '', questions: [QUESTION, MANY] } as const
  assert.equal(validateDialogAnswer({ ...spec, questions: [...spec.questions] }, result), undefined)
})

test('a question without an answer is found, an empty own answer included', () => {
  const done = toggleOption(QUESTION, EMPTY_DRAFT, 'Red')
  assert.deepEqual(answersOf([done, EMPTY_DRAFT]), { missing: 1 })
  assert.deepEqual(answersOf([toggleOwn(QUESTION, done)]), { missing: 0 })
})

const COMMANDS: readonly RuntimeCommand[] = [
  { name: 'model', source: 'host', kind: 'select', value: 'a/b', description: 'the model' },
  { name: 'compact', source: 'host', kind: 'action' },
  { name: 'review', source: 'extension', description: 'looks at a model change' },
  { name: 'skill:model', source: 'skill' },
]

test('the palette groups commands by kind and finds them by name before description', () => {
  assert.deepEqual(
    commandGroups(COMMANDS, 'mod').map(({ title, commands }) => [title, commands.map(({ name }) => name)]),
    [
      ['Settings', ['model']],
      ['Commands', ['review']],
      ['Skills', ['skill:model']],
    ],
  )
  assert.equal(commandGroups(COMMANDS, '').length, 4)
  assert.deepEqual(['/', '/mod', '/a/b', '/mod x', 'x'].map(typedCommand), ['', 'mod', undefined, undefined, undefined])
  assert.deepEqual(matchingOptions([{ id: 'p/large', label: 'Large' }], 'LAR').length, 1)
})

test('an address says where in the page one is, and nothing else in it is taken', () => {
  assert.deepEqual(routeOf('#/t/abc/context'), { threadId: 'abc', panel: 'context' })
  assert.deepEqual(routeOf('#/log'), { threadId: undefined, panel: 'log' })
  assert.deepEqual(routeOf('#/t/../../etc'), { threadId: undefined, panel: undefined })
  assert.deepEqual(routeOf('#/t/abc/constructor').panel, undefined)
  assert.equal(hashOf({ threadId: 'abc', panel: 'log' }), '#/t/abc/log')
  assert.equal(tokenIn('#token=abc'), 'abc')
  assert.equal(tokenIn('#/t/abc'), undefined)
})

test('threads are grouped by project, the launch folder first, and live ones without a file are there', () => {
  const project = { title: 'p', launch: false, status: 'ok' } as const
  const groups = threadGroups(
    [
      { ...project, projectId: 'p1', path: '/p1' },
      { ...project, projectId: 'p2', path: '/p2', launch: true },
    ],
    {
      stored: [
        { threadId: 'a', projectId: 'p1', messageCount: 2, lastActivityAt: '2026-01-01', busy: false },
        { threadId: 'b', projectId: 'p1', messageCount: 2, lastActivityAt: '2026-02-01', busy: false },
        { threadId: 'c', projectId: 'gone', messageCount: 2, lastActivityAt: '2026-02-02', busy: false },
      ],
      live: [
        {
          threadId: 'new',
          sessionId: 's',
          sessionDir: '/x/threads/p2',
          sessionFile: null,
          busy: true,
          generation: 1,
          lastActivityAt: '2026-03-01',
          mode: 'default',
        },
        {
          threadId: 'a',
          sessionId: 's',
          sessionDir: '/x/threads/p1',
          sessionFile: 'f',
          busy: true,
          generation: 1,
          lastActivityAt: '2026-03-02',
          mode: 'default',
        },
      ],
    },
  )
  assert.deepEqual(
    groups.map(({ projectId, rows }) => [projectId, rows.map(({ threadId, busy }) => `${threadId}${busy ? '*' : ''}`)]),
    [
      ['p2', ['new*']],
      ['p1', ['a*', 'b']],
      ['gone', ['c']],
    ],
  )
})

test('images are taken up to the caps of a prompt', () => {
  assert.deepEqual([...IMAGE_TYPES].sort(), [...ENSO_IMAGE_MIME_TYPES].sort())
  assert.equal(imageRefusal('a.png', 'image/png', 100, 0), undefined)
  assert.match(imageRefusal('a.svg', 'image/svg+xml', 100, 0) ?? '', /no PNG/)
  assert.match(imageRefusal('a.png', 'image/png', 6_000_000, 0) ?? '', /6.0 MB/)
  assert.match(imageRefusal('a.png', 'image/png', 100, 20) ?? '', /20 images/)
  assert.deepEqual(imageOfDataUrl('data:image/png;base64,QQ=='), { data: 'QQ==', mimeType: 'image/png' })
  assert.equal(imageOfDataUrl('data:text/html;base64,QQ=='), undefined)
})

test('modes are said in words; one that is not known by its own name', () => {
  for (const mode of START_MODES) assert.notEqual(modeLabel(mode), mode)
  assert.deepEqual(modeOption('strange'), { id: 'strange', label: 'strange' })
})

test('a tool call is told in one line, and its result is drawn by the descriptor', () => {
  const call = { id: 'c', name: 'bash', input: { json: '{"command":"ls -la"}' }, state: 'done', text: '' } as const
  const facts = toolFacts({ ...call, descriptor: { kind: 'bash', props: { exitCode: 2 } } })
  assert.deepEqual(facts, { title: 'Run', subject: 'ls -la', facts: ['exit 2'], result: 'terminal', kind: 'terminal' })
  assert.equal(toolFacts({ ...call, descriptor: { kind: 'new', props: {} } }).result, 'text')
  assert.equal(toolFacts({ ...call, name: 'constructor' }).title, 'constructor')
  assert.equal(toolFacts({ ...call, input: { json: '{broken' } }).subject, '')
  const edit = { ...call, name: 'edit', descriptor: { kind: 'edit', props: { diff: '+1 a\n-1 b' } } }
  assert.deepEqual(toolFacts(edit).facts, ['+1 −1'])
})

test('why a call did not work is said in one line: a command’s last words, else the first; nothing where somebody chose', () => {
  const call = { id: 'c', name: 'bash', input: { value: {} }, state: 'failed' } as const
  const text = 'step 1\nstep 2\n\u001b[31mno such target\u001b[0m\n\n\nCommand exited with code 2'
  assert.equal(toolHint({ ...call, text }), 'no such target')
  assert.equal(toolHint({ ...call, text: 'Command exited with code 2' }), 'Command exited with code 2')
  assert.equal(toolHint({ ...call, name: 'read', text: 'no such file\nmore' }), 'no such file')
  assert.equal(toolHint({ ...call, rule: 'network-egress', text: 'not out [network-egress]\nof here' }), 'not out')
  assert.equal(toolHint({ ...call, deniedBy: 'mode', text: 'plan mode' }), 'plan mode')
  assert.equal(toolHint({ ...call, deniedBy: 'person', text: 'Do not try it again' }), undefined)
  const stopped = { ...call, text: 'so far', descriptor: { kind: 'bash', props: { ended: 'aborted' } } }
  assert.deepEqual([wasStopped(stopped), toolHint(stopped)], [true, undefined])
})
