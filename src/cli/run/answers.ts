import { readFile } from 'node:fs/promises'
import { type Static, Type } from '@sinclair/typebox'
import {
  type DialogContext,
  EnsoDialogAnswer,
  type EnsoDialogSpec,
  EnsoError,
  ensoLogger,
  validateDialogAnswer,
} from '../../core/index.js'
import { closed, lazyValidator } from '../../core/schema.js'

/**
 * One standing answer. Every condition given must hold: `method` is the question's kind, `tool` the name of the tool
 * that asks, `title` and `text` pieces that the title, or anything else the question says, must contain.
 */
export const EnsoAnswerRule = closed({
  method: Type.Optional(
    Type.Union([
      Type.Literal('select'),
      Type.Literal('confirm'),
      Type.Literal('input'),
      Type.Literal('editor'),
      Type.Literal('questionnaire'),
    ]),
  ),
  tool: Type.Optional(Type.String({ minLength: 1 })),
  title: Type.Optional(Type.String({ minLength: 1 })),
  text: Type.Optional(Type.String({ minLength: 1 })),
  answer: EnsoDialogAnswer,
})
export type EnsoAnswerRule = Static<typeof EnsoAnswerRule>

/** The file of `--answers`: the first rule that fits a question and whose answer is valid for it is used. */
export const EnsoAnswersFile = closed({ answers: Type.Array(EnsoAnswerRule) })
export type EnsoAnswersFile = Static<typeof EnsoAnswersFile>

const validator = lazyValidator(EnsoAnswersFile)
const log = ensoLogger('host', 'answers')

/** A rule that was taken, and which: counted from 1, as in the file. */
export interface TakenAnswer {
  readonly rule: number
  readonly answer: EnsoDialogAnswer
}

/** Finds the standing answer for a question. */
export interface AnswerRules {
  (dialog: EnsoDialogSpec, context: DialogContext): TakenAnswer | undefined
  /** Is there a rule for questions of this kind from there, whatever they say? */
  mayAnswer(method: EnsoDialogSpec['method'], context: DialogContext): boolean
}

/** Reads a file of standing answers. @throws EnsoError `bad-input`, naming the file and what is wrong in it */
export async function readAnswersFile(file: string, shown: string = file): Promise<AnswerRules> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw new EnsoError('bad-input', `the answers file ${shown} can't be read`, { cause: error })
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new EnsoError('bad-input', `the answers file ${shown} is not JSON: ${(error as Error).message}`)
  }
  if (!validator.check(value)) {
    const wrong = validator.firstError(value)
    throw new EnsoError(
      'bad-input',
      `the answers file ${shown} is not valid at ${wrong?.path || '/'}: ${wrong?.message}`,
      {
        hint: 'enso schema answers prints its schema',
      },
    )
  }
  return answerRules(value)
}

/**
 * The rules as a function. A secret is never answered by a rule. A rule that fits but whose answer the question does
 * not take (an option that is not offered) is passed over, and said in the log.
 */
export function answerRules({ answers }: EnsoAnswersFile): AnswerRules {
  const find = (dialog: EnsoDialogSpec, context: DialogContext): TakenAnswer | undefined => {
    if (dialog.method === 'input' && dialog.secret === true) return undefined
    for (const [index, rule] of answers.entries()) {
      if (!fits(rule, dialog, context)) continue
      const refusal = validateDialogAnswer(dialog, rule.answer)
      if (refusal === undefined) return { rule: index + 1, answer: rule.answer }
      log.warn('standing answer {rule} fits a question that does not take it: {refusal}', { rule: index + 1, refusal })
    }
    return undefined
  }
  const mayAnswer: AnswerRules['mayAnswer'] = (method, context) =>
    answers.some((rule) => fitsKind(rule, method, context) && answersKind(rule.answer, method))
  return Object.assign(find, { mayAnswer })
}

/** Rules that are read later than they are handed out; none until then. */
export function laterAnswers(rules: () => AnswerRules | undefined): AnswerRules {
  const find = (dialog: EnsoDialogSpec, context: DialogContext): TakenAnswer | undefined => rules()?.(dialog, context)
  const mayAnswer: AnswerRules['mayAnswer'] = (method, context) => rules()?.mayAnswer(method, context) ?? false
  return Object.assign(find, { mayAnswer })
}

function fitsKind(rule: EnsoAnswerRule, method: EnsoDialogSpec['method'], { toolName }: DialogContext): boolean {
  return (rule.method ?? method) === method && (rule.tool ?? toolName) === toolName
}

/** Is this the form of an answer that questions of this kind take? */
function answersKind(answer: EnsoDialogAnswer, method: EnsoDialogSpec['method']): boolean {
  const key = method === 'confirm' ? 'confirmed' : method === 'questionnaire' ? 'answers' : 'value'
  return key in answer
}

function fits(rule: EnsoAnswerRule, dialog: EnsoDialogSpec, context: DialogContext): boolean {
  if (!fitsKind(rule, dialog.method, context)) return false
  if (rule.title !== undefined && !dialog.title.includes(rule.title)) return false
  return rule.text === undefined || textOf(dialog).includes(rule.text)
}

/** Everything a question says beside its title. */
function textOf(dialog: EnsoDialogSpec): string {
  switch (dialog.method) {
    case 'select':
      return [dialog.message ?? '', ...dialog.options].join('\n')
    case 'confirm':
      return dialog.message
    case 'input':
      return [dialog.message ?? '', dialog.placeholder ?? ''].join('\n')
    case 'editor':
      return dialog.prefill ?? ''
    case 'questionnaire':
      return dialog.questions
        .flatMap(({ header, question, options }) => [header, question, ...options.map(({ label }) => label)])
        .join('\n')
  }
}
