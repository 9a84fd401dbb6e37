import { type Static, Type } from '@sinclair/typebox'
import { closed, lazyValidator } from './schema.js'

/** One choice of a questionnaire's question. */
const QuestionOption = closed({
  label: Type.String({ minLength: 1 }),
  /** What choosing it means. */
  description: Type.Optional(Type.String()),
})

/**
 * One question of a questionnaire: a short header (the tab's name), the question, its options, and whether several may
 * be chosen. A free-text answer is always possible besides and is not listed.
 */
export const EnsoQuestion = closed({
  header: Type.String({ minLength: 1 }),
  question: Type.String({ minLength: 1 }),
  options: Type.Array(QuestionOption, { minItems: 1 }),
  multiSelect: Type.Boolean(),
})
export type EnsoQuestion = Static<typeof EnsoQuestion>

/** How one question was answered: the labels chosen, and the person's own words when they wrote some. */
export const EnsoQuestionAnswer = closed({
  selected: Type.Array(Type.String()),
  other: Type.Optional(Type.String()),
})
export type EnsoQuestionAnswer = Static<typeof EnsoQuestionAnswer>

/** A questionnaire's answers: one per question, in order. */
export const EnsoQuestionAnswers = Type.Array(EnsoQuestionAnswer)

/** What a questionnaire resolves to in the tool that asked: the answers, or a decline. */
export type EnsoQuestionnaireResult = { cancelled: true } | { answers: EnsoQuestionAnswer[] }

/** Where a questionnaire component carries its question, so that the tool and the host need not import each other. */
export const QUESTIONNAIRE_COMPONENT_KEY: unique symbol = Symbol.for('enso.questionnaire')

/** A page to open before answering, such as a login's. Only http and https: a surface renders it as a link. */
export const EnsoDialogLink = closed({
  label: Type.String({ minLength: 1 }),
  url: Type.String({ pattern: '^https?://[^\\s]+$' }),
})
export type EnsoDialogLink = Static<typeof EnsoDialogLink>

/** Milliseconds after which the question ends by itself. */
const timeout = Type.Optional(Type.Number({ minimum: 0 }))

/** One question that blocks the run until it is answered, by kind. */
export const EnsoDialogSpec = Type.Union([
  closed({
    method: Type.Literal('select'),
    title: Type.String(),
    options: Type.Array(Type.String(), { minItems: 1 }),
    /** What is being decided about (a diff, a command). Preformatted text, never markdown. */
    message: Type.Optional(Type.String()),
    timeout,
  }),
  closed({ method: Type.Literal('confirm'), title: Type.String(), message: Type.String(), timeout }),
  closed({
    method: Type.Literal('input'),
    title: Type.String(),
    placeholder: Type.Optional(Type.String()),
    /** The answer is a credential: masked while typed, never echoed, logged or replayed. */
    secret: Type.Optional(Type.Literal(true)),
    /** What the answer is and where it comes from. Plain text. */
    message: Type.Optional(Type.String()),
    link: Type.Optional(EnsoDialogLink),
    timeout,
  }),
  closed({ method: Type.Literal('editor'), title: Type.String(), prefill: Type.Optional(Type.String()) }),
  closed({
    method: Type.Literal('questionnaire'),
    title: Type.String(),
    questions: Type.Array(EnsoQuestion, { minItems: 1 }),
  }),
])
export type EnsoDialogSpec = Static<typeof EnsoDialogSpec>

/** A question that waits for its answer. `id` is what the answer names. */
export const EnsoOpenDialog = closed({ id: Type.String({ minLength: 1 }), dialog: EnsoDialogSpec })
export type EnsoOpenDialog = Static<typeof EnsoOpenDialog>

/** A real answer, without its id. Exactly one of the three; a cancel is no answer. */
export const EnsoDialogAnswer = Type.Union([
  closed({ value: Type.String() }),
  closed({ confirmed: Type.Boolean() }),
  closed({ answers: EnsoQuestionAnswers }),
])
export type EnsoDialogAnswer = Static<typeof EnsoDialogAnswer>

const id = Type.String({ minLength: 1 })

/** Body of the `dialog` operation: the question's id and exactly one of an answer or `cancelled: true`. */
export const EnsoDialogBody = Type.Union([
  closed({ id, value: Type.String() }),
  closed({ id, confirmed: Type.Boolean() }),
  closed({ id, answers: EnsoQuestionAnswers }),
  closed({ id, cancelled: Type.Literal(true) }),
])
export type EnsoDialogBody = Static<typeof EnsoDialogBody>

const specValidator = lazyValidator(EnsoDialogSpec)
const answerValidator = lazyValidator(EnsoDialogAnswer)

/** True for a well-formed question. */
export function isEnsoDialogSpec(value: unknown): value is EnsoDialogSpec {
  return specValidator.check(value)
}

/** What a questionnaire names twice though it must be distinct. `question` counts from 1. */
export type QuestionnaireRepeat =
  | { kind: 'header'; header: string; question: number }
  | { kind: 'label'; label: string; question: number }

/**
 * The first repeat in a questionnaire: a header used by two questions, or a label used twice within one question.
 * The same label in two questions is fine. Such a questionnaire can't be answered unambiguously and is refused.
 */
export function questionnaireRepeat(questions: readonly EnsoQuestion[]): QuestionnaireRepeat | undefined {
  const headers = new Set<string>()
  for (const [index, { header, options }] of questions.entries()) {
    const question = index + 1
    if (headers.has(header)) return { kind: 'header', header, question }
    headers.add(header)
    const labels = new Set<string>()
    for (const { label } of options) {
      if (labels.has(label)) return { kind: 'label', label, question }
      labels.add(label)
    }
  }
  return undefined
}

/**
 * Why `payload` does not answer `spec`, or nothing when it does. The one validator of every surface: a `select` takes
 * only an offered option, because the asker acts on the value as it comes.
 *
 * `payload` is an answer without its id; a cancel is not one and is refused here.
 */
export function validateDialogAnswer(spec: EnsoDialogSpec, payload: unknown): string | undefined {
  if (!answerValidator.check(payload)) {
    return 'not an answer: give exactly one of value (text), confirmed (true or false) or answers (a list)'
  }
  switch (spec.method) {
    case 'confirm':
      return 'confirmed' in payload ? undefined : 'a confirm question takes confirmed: true or false'
    case 'select':
      if (!('value' in payload)) return 'a select question takes value: one of its options'
      return spec.options.includes(payload.value)
        ? undefined
        : `${JSON.stringify(payload.value)} is not one of the offered options`
    case 'input':
    case 'editor':
      return 'value' in payload ? undefined : `an ${spec.method} question takes value: a text`
    case 'questionnaire':
      return 'answers' in payload
        ? questionnaireRefusal(spec.questions, payload.answers)
        : 'a questionnaire takes answers: one { selected, other? } per question'
  }
}

function questionnaireRefusal(
  questions: readonly EnsoQuestion[],
  answers: readonly EnsoQuestionAnswer[],
): string | undefined {
  if (answers.length !== questions.length) {
    return `the questionnaire has ${questions.length} question(s) and got ${answers.length} answer(s)`
  }
  for (const [index, question] of questions.entries()) {
    const reason = questionRefusal(question, answers[index]!)
    if (reason !== undefined) return `question ${index + 1} (${question.header}): ${reason}`
  }
  return undefined
}

function questionRefusal(question: EnsoQuestion, answer: EnsoQuestionAnswer): string | undefined {
  const offered = new Set(question.options.map((option) => option.label))
  const foreign = answer.selected.find((label) => !offered.has(label))
  if (foreign !== undefined) return `${JSON.stringify(foreign)} is not one of the offered options`
  if (new Set(answer.selected).size !== answer.selected.length) return 'an option is chosen twice'
  if (answer.other !== undefined && answer.other.trim() === '') return 'the free text is blank'
  const count = answer.selected.length + (answer.other === undefined ? 0 : 1)
  if (count === 0) return 'it is not answered'
  if (count > 1 && !question.multiSelect) return 'it takes one answer'
  return undefined
}
