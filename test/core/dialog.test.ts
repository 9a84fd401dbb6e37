import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  type EnsoDialogSpec,
  isEnsoDialogSpec,
  QUESTIONNAIRE_COMPONENT_KEY,
  questionnaireRepeat,
  validateDialogAnswer,
} from '../../src/core/index.js'

const select: EnsoDialogSpec = { method: 'select', title: 'Which?', options: ['Allow once', 'Deny'] }
const confirm: EnsoDialogSpec = { method: 'confirm', title: 'Go on?', message: 'It takes a while.' }
const input: EnsoDialogSpec = { method: 'input', title: 'Name' }
const editor: EnsoDialogSpec = { method: 'editor', title: 'Text', prefill: 'x' }
const questionnaire: EnsoDialogSpec = {
  method: 'questionnaire',
  title: 'Before I start',
  questions: [
    { header: 'Scope', question: 'How much?', multiSelect: false, options: [{ label: 'All' }, { label: 'Some' }] },
    {
      header: 'Tests',
      question: 'Which tests?',
      multiSelect: true,
      options: [{ label: 'Unit', description: 'fast' }, { label: 'E2E' }],
    },
  ],
}
const every = [select, confirm, input, editor, questionnaire]

test('each kind of question takes its own kind of answer', () => {
  assert.equal(validateDialogAnswer(select, { value: 'Deny' }), undefined)
  assert.equal(validateDialogAnswer(confirm, { confirmed: false }), undefined)
  assert.equal(validateDialogAnswer(input, { value: '' }), undefined)
  assert.equal(validateDialogAnswer(editor, { value: 'a\nb' }), undefined)
  const answers = [{ selected: ['All'] }, { selected: ['Unit', 'E2E'], other: 'and by hand' }]
  assert.equal(validateDialogAnswer(questionnaire, { answers }), undefined)
})

test('an answer of another kind is refused', () => {
  const answers = { answers: [{ selected: ['All'] }, { selected: ['Unit'] }] }
  for (const [spec, payload] of [
    [select, { confirmed: true }],
    [select, answers],
    [confirm, { value: 'true' }],
    [confirm, answers],
    [input, { confirmed: true }],
    [editor, answers],
    [questionnaire, { value: 'All' }],
    [questionnaire, { confirmed: true }],
  ] as const) {
    assert.match(validateDialogAnswer(spec, payload) ?? '', /takes/)
  }
})

test('what is no answer at all is refused for every kind of question', () => {
  const nothings = [
    undefined,
    null,
    'Deny',
    1,
    [],
    {},
    { cancelled: true },
    { value: 1 },
    { confirmed: 'yes' },
    { answers: {} },
  ]
  const doubles = [
    { value: 'Deny', confirmed: true },
    { value: 'Deny', cancelled: true },
    { value: 'Deny', extra: 1 },
  ]
  for (const spec of every) {
    for (const payload of [...nothings, ...doubles]) {
      assert.match(validateDialogAnswer(spec, payload) ?? '', /not an answer/, JSON.stringify(payload))
    }
  }
})

test('a select takes an offered option as it was offered, and nothing else', () => {
  for (const value of ['', 'deny', 'Deny ', 'Allow always', '__proto__', 'length']) {
    assert.match(validateDialogAnswer(select, { value }) ?? '', /not one of the offered options/)
  }
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), fc.string(), (options, value) => {
      const refused = validateDialogAnswer({ method: 'select', title: '', options }, { value }) !== undefined
      assert.equal(refused, !options.includes(value))
    }),
  )
})

test('any payload is judged without a throw, and an accepted one fits its question', () => {
  fc.assert(
    fc.property(fc.constantFrom(...every), fc.anything(), (spec, payload) => {
      const reason = validateDialogAnswer(spec, payload)
      if (reason === undefined) assert.deepEqual(Object.keys(payload as object).length, 1)
      else assert.ok(reason.length > 0)
    }),
  )
})

test('a questionnaire wants one real answer per question', () => {
  const reason = (answers: unknown[]) => validateDialogAnswer(questionnaire, { answers }) ?? ''
  const fine = { selected: ['Unit'] }
  assert.match(reason([{ selected: ['All'] }]), /2 question\(s\) and got 1/)
  assert.match(reason([{ selected: ['All'] }, fine, fine]), /got 3/)
  assert.match(reason([{ selected: [] }, fine]), /question 1 \(Scope\): it is not answered/)
  assert.match(reason([{ selected: ['None'] }, fine]), /"None" is not one/)
  assert.match(reason([{ selected: ['All', 'Some'] }, fine]), /takes one answer/)
  assert.match(reason([{ selected: ['All'], other: 'or so' }, fine]), /takes one answer/)
  assert.match(reason([{ selected: [], other: '  ' }, fine]), /free text is blank/)
  assert.match(
    reason([{ selected: ['All'] }, { selected: ['Unit', 'Unit'] }]),
    /question 2 \(Tests\): an option is chosen twice/,
  )
  assert.equal(reason([{ selected: [], other: 'a third way' }, fine]), '')
})

test('a questionnaire that repeats a header, or a label within one question, is found out', () => {
  const question = (header: string, ...labels: string[]) => ({
    header,
    question: 'q',
    multiSelect: false,
    options: labels.map((label) => ({ label })),
  })
  assert.equal(questionnaireRepeat([question('A', 'x', 'y'), question('B', 'x', 'y')]), undefined)
  assert.deepEqual(questionnaireRepeat([question('A', 'x'), question('B', 'x'), question('A', 'x')]), {
    kind: 'header',
    header: 'A',
    question: 3,
  })
  assert.deepEqual(questionnaireRepeat([question('A', 'x'), question('B', 'x', 'y', 'x')]), {
    kind: 'label',
    label: 'x',
    question: 2,
  })
})

test('a question needs an option to choose, an open page needs to be a web page', () => {
  for (const spec of every) assert.ok(isEnsoDialogSpec(spec))
  assert.ok(
    isEnsoDialogSpec({ ...input, secret: true, message: 'm', link: { label: 'Log in', url: 'https://x.test/a?b' } }),
  )
  for (const spec of [
    { ...select, options: [] },
    { ...questionnaire, questions: [] },
    { ...input, secret: false },
    { ...input, link: { label: 'x', url: 'javascript:alert(1)' } },
    { ...input, link: { label: 'x', url: 'file:///etc/passwd' } },
    { ...editor, timeout: 5 },
    { ...confirm, timeout: -1 },
    { method: 'notify', title: 'x' },
    null,
  ]) {
    assert.equal(isEnsoDialogSpec(spec), false, JSON.stringify(spec))
  }
})

test('the tool and the host find a questionnaire under one registered symbol', () => {
  assert.equal(Symbol.keyFor(QUESTIONNAIRE_COMPONENT_KEY) !== undefined, true)
})
