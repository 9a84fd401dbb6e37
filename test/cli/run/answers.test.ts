import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  type AnswerRules,
  answerRules,
  type EnsoAnswersFile,
  laterAnswers,
  readAnswersFile,
} from '../../../src/cli/run/answers.js'
import type { EnsoDialogSpec } from '../../../src/core/index.js'
import { testFolder } from '../../support/fake-cli.js'

const select: EnsoDialogSpec = {
  method: 'select',
  title: 'Overwrite config.json?',
  message: '- old\n+ new',
  options: ['Yes', 'No', 'Diff'],
}
const nobody = { toolName: undefined }
const answer = (file: EnsoAnswersFile, dialog: EnsoDialogSpec = select, toolName?: string) =>
  answerRules(file)(dialog, { toolName })

test('the first rule that fits is used', () => {
  const file: EnsoAnswersFile = {
    answers: [
      { method: 'confirm', answer: { confirmed: true } },
      { title: 'Overwrite', answer: { value: 'No' } },
      { answer: { value: 'Yes' } },
    ],
  }
  assert.deepEqual(answer(file), { rule: 2, answer: { value: 'No' } })
})

test('every condition of a rule must hold: method, tool, title, text', () => {
  const all = { method: 'select', tool: 'write', title: 'config', text: '+ new' } as const
  const file = { answers: [{ ...all, answer: { value: 'Yes' } }] }
  assert.ok(answer(file, select, 'write'))
  assert.equal(answer(file, select, 'edit'), undefined)
  assert.equal(answer(file, { ...select, title: 'Delete it?' }, 'write'), undefined)
  assert.equal(answer(file, { ...select, message: 'something else' }, 'write'), undefined)
})

test('an answer that the question does not offer is passed over, never given', () => {
  const file = {
    answers: [{ answer: { value: 'yes to all' } }, { answer: { confirmed: true } }, { answer: { value: 'Diff' } }],
  }
  assert.deepEqual(answer(file), { rule: 3, answer: { value: 'Diff' } })
})

test('a secret is never answered by a rule', () => {
  const secret: EnsoDialogSpec = { method: 'input', title: 'API key', secret: true }
  assert.equal(answerRules({ answers: [{ answer: { value: 'x' } }] })(secret, nobody), undefined)
})

test('the text of every kind of question can be named', () => {
  const named = (dialog: EnsoDialogSpec, given: EnsoAnswersFile['answers'][number]['answer'], text: string) =>
    answerRules({ answers: [{ text, answer: given }] })(dialog, nobody)
  assert.ok(named({ method: 'confirm', title: 't', message: 'rm -rf' }, { confirmed: false }, 'rm'))
  assert.ok(named({ method: 'input', title: 't', placeholder: 'a branch' }, { value: 'x' }, 'branch'))
  assert.ok(named({ method: 'editor', title: 't', prefill: 'draft' }, { value: 'x' }, 'draft'))
  const question = { header: 'Lib', question: 'Which one?', options: [{ label: 'axios' }], multiSelect: false }
  const given = { answers: [{ selected: ['axios'] }] }
  assert.ok(named({ method: 'questionnaire', title: 't', questions: [question] }, given, 'axios'))
})

test('a file that is missing, no JSON or of another shape is refused by name and place', async (t) => {
  const dir = await testFolder(t)
  const file = join(dir, 'answers.json')
  await assert.rejects(readAnswersFile(file, 'answers.json'), {
    code: 'bad-input',
    message: /answers\.json can't be read/,
  })
  await writeFile(file, '{"answers": [')
  await assert.rejects(readAnswersFile(file), { code: 'bad-input', message: /is not JSON/ })
  await writeFile(file, '{"answers": [{"metod": "select", "answer": {"value": "x"}}]}')
  await assert.rejects(readAnswersFile(file), { code: 'bad-input', message: /\/answers\/0/ })
  await writeFile(file, '{"answers": [{"answer": {"value": "Yes"}}]}')
  assert.ok((await readAnswersFile(file))(select, nobody))
})

test('whether a rule could answer a kind of question from a tool is known before the question is', () => {
  const of = (...answers: EnsoAnswersFile['answers']) => answerRules({ answers })
  const asks = { toolName: 'ask_user' }
  const given = { answers: [{ selected: ['red'] }] }
  assert.equal(of().mayAnswer('questionnaire', asks), false)
  assert.equal(of({ answer: given }).mayAnswer('questionnaire', asks), true)
  assert.equal(of({ tool: 'ask_user', title: 'x', answer: given }).mayAnswer('questionnaire', asks), true)
  assert.equal(of({ tool: 'other', answer: given }).mayAnswer('questionnaire', asks), false)
  assert.equal(of({ method: 'select', answer: { value: 'x' } }).mayAnswer('questionnaire', asks), false)
  assert.equal(of({ answer: { confirmed: true } }).mayAnswer('questionnaire', asks), false)
  assert.equal(of({ answer: { confirmed: true } }).mayAnswer('confirm', nobody), true)
})

test('rules that are read later answer nothing until then', () => {
  let read: AnswerRules | undefined
  const rules = laterAnswers(() => read)
  assert.equal(rules(select, nobody), undefined)
  assert.equal(rules.mayAnswer('select', nobody), false)
  read = answerRules({ answers: [{ answer: { value: 'No' } }] })
  assert.deepEqual(rules(select, nobody), { rule: 1, answer: { value: 'No' } })
  assert.equal(rules.mayAnswer('select', nobody), true)
})
