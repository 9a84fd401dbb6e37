import {
  ENSO_TOOL_RESULT_KEY,
  type EnsoQuestion,
  type EnsoQuestionAnswer,
  type EnsoToolResultDescriptor,
  type QuestionnaireRepeat,
} from '../../../core/index.js'

/** How the questions ended when nobody answered them. */
export type AskUserDecline = 'declined' | 'timeout' | 'nobody' | 'stopped'

const DECLINES: Readonly<Record<AskUserDecline, string>> = {
  declined: 'The person declined to answer.',
  timeout: 'Nobody answered in time: take the questions as declined.',
  nobody: 'Nobody is there to answer: take the questions as declined.',
  stopped: 'The run was stopped before the questions were answered.',
}

/** A tool result's text and details. */
export interface AskUserResult {
  readonly content: [{ type: 'text'; text: string }]
  readonly details: { [ENSO_TOOL_RESULT_KEY]: EnsoToolResultDescriptor }
}

/** What the model reads of the answers: each question with what was chosen and what was written. */
export function answeredResult(
  questions: readonly EnsoQuestion[],
  answers: readonly EnsoQuestionAnswer[],
): AskUserResult {
  const text = questions
    .map(({ header, question }, index) => `[${header}] ${question}\nAnswer: ${answerInWords(answers[index])}`)
    .join('\n\n')
  return result(text, { outcome: 'answered', questions, answers })
}

/** What the model reads when there are no answers. A decline is a result, never an empty one. */
export function declinedResult(questions: readonly EnsoQuestion[], decline: AskUserDecline): AskUserResult {
  return result(DECLINES[decline], { outcome: decline, questions })
}

/** What the model is told of questions that could not be told apart, so that it can ask better. */
export function repeatRefusal(repeat: QuestionnaireRepeat): string {
  return repeat.kind === 'header'
    ? `question ${repeat.question} repeats the header ${JSON.stringify(repeat.header)}: give each question its own`
    : `question ${repeat.question} repeats the option ${JSON.stringify(repeat.label)}: give each option its own label`
}

function answerInWords(answer: EnsoQuestionAnswer | undefined): string {
  const own = answer?.other === undefined ? [] : [`in their own words: ${answer.other}`]
  return [...(answer?.selected ?? []), ...own].join(', ')
}

function result(text: string, props: Record<string, unknown>): AskUserResult {
  return { content: [{ type: 'text', text }], details: { [ENSO_TOOL_RESULT_KEY]: { kind: 'ask_user', props } } }
}
