import { multiselect, select, text } from '@clack/prompts'
import type { EnsoQuestion, EnsoQuestionAnswer } from '../../core/index.js'
import { sanitize, sanitizeLine } from '../print/sanitize.js'
import type { AnswerBody, AskContext } from './ask-context.js'
import type { Asked } from './asking.js'

/** Stands for the person's own words among the indexes of the offered options. */
const OTHER = -1

function explained(label: string, meaning: string | undefined): string {
  return meaning === undefined ? label : `${label}: ${sanitizeLine(meaning)}`
}

function choices(question: EnsoQuestion) {
  // A hint shows only beside the option under the cursor; what an option means helps to choose among all.
  const offered = question.options.map(({ label, description }, value) => ({
    value,
    label: explained(sanitizeLine(label), description),
  }))
  return [...offered, { value: OTHER, label: explained('Other', 'in your own words') }]
}

async function askWords(question: EnsoQuestion, { asking, closed }: AskContext): Promise<Asked<string>> {
  return asking.ask(
    (streams) =>
      text({
        ...streams,
        message: `${sanitizeLine(question.header)}: in your own words`,
        validate: (value) => ((value ?? '').trim() === '' ? 'Write something, or press Esc to cancel' : undefined),
      }),
    closed,
  )
}

async function askQuestion(
  question: EnsoQuestion,
  progress: string,
  context: AskContext,
): Promise<Asked<EnsoQuestionAnswer>> {
  const { asking, closed } = context
  const message = `${progress}${sanitizeLine(question.header)}: ${sanitize(question.question).trim()}`
  const options = choices(question)
  const chosen = question.multiSelect
    ? await asking.ask((streams) => multiselect({ ...streams, message, options, required: true }), closed)
    : await asking.ask(async (streams) => {
        const one = await select({ ...streams, message, options })
        return typeof one === 'symbol' ? one : [one]
      }, closed)
  if (chosen.kind !== 'value') return chosen
  const selected = chosen.value.filter((index) => index !== OTHER).map((index) => question.options[index]?.label ?? '')
  if (!chosen.value.includes(OTHER)) return { kind: 'value', value: { selected } }
  const words = await askWords(question, context)
  return words.kind === 'value' ? { kind: 'value', value: { selected, other: words.value } } : words
}

function answerText({ selected, other }: EnsoQuestionAnswer): string {
  return [...selected, ...(other === undefined ? [] : [`"${other}"`])].map(sanitizeLine).join(', ')
}

/** What a review may end with, beside the index of a question to ask again. */
const SUBMIT = -1
const DECLINE = -2

async function review(
  questions: readonly EnsoQuestion[],
  answers: readonly EnsoQuestionAnswer[],
  { asking, closed }: AskContext,
): Promise<Asked<number>> {
  const changes = questions.map((question, index) => ({
    value: index,
    label: explained(`Change ${sanitizeLine(question.header)}`, answerText(answers[index] ?? { selected: [] })),
  }))
  const options = [{ value: SUBMIT, label: 'Submit' }, ...changes, { value: DECLINE, label: 'Decline to answer' }]
  return asking.ask((streams) => select({ ...streams, message: 'Send these answers?', options }), closed)
}

/** Asks one question after another, then shows the answers before they are sent. Esc declines the whole. */
export async function askQuestionnaire(
  title: string,
  questions: readonly EnsoQuestion[],
  context: AskContext,
): Promise<Asked<AnswerBody>> {
  if (title.trim() !== '') context.asking.write(context.palette.bold(sanitize(title).trim()))
  const answers: EnsoQuestionAnswer[] = []
  for (const [index, question] of questions.entries()) {
    const progress = questions.length === 1 ? '' : `${index + 1} of ${questions.length} · `
    const asked = await askQuestion(question, progress, context)
    if (asked.kind !== 'value') return asked
    answers.push(asked.value)
  }
  for (;;) {
    const decided = await review(questions, answers, context)
    if (decided.kind !== 'value') return decided
    if (decided.value === SUBMIT) return { kind: 'value', value: { answers } }
    if (decided.value === DECLINE) return { kind: 'cancelled' }
    const index = decided.value
    const question = questions[index]
    const again = question === undefined ? undefined : await askQuestion(question, '', context)
    if (again === undefined) continue
    if (again.kind !== 'value') return again
    answers[index] = again.value
  }
}
