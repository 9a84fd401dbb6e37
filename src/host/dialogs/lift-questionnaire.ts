import { QUESTIONNAIRE_COMPONENT_KEY, isEnsoDialogSpec, questionnaireRepeat } from '../../core/index.js'
import type { EnsoDialogSpec } from '../../core/index.js'
import { loose } from '../observe/message-values.js'

type Questionnaire = Extract<EnsoDialogSpec, { method: 'questionnaire' }>

const each = (value: unknown, rebuild: (item: unknown) => object): unknown =>
  Array.isArray(value) ? value.map(rebuild) : value

function rebuildOption(value: unknown): object {
  const { label, description } = loose(value)
  return description === undefined ? { label } : { label, description }
}

function rebuildQuestion(value: unknown): object {
  const { header, question, multiSelect, options } = loose(value)
  return { header, question, multiSelect, options: each(options, rebuildOption) }
}

/**
 * The questionnaire a terminal component carries under its registered symbol, rebuilt from the known fields so that
 * nothing else it carries travels on. `undefined` when it carries none, or one that could not be answered: a header or
 * an option's label that repeats.
 */
export function liftQuestionnaire(component: unknown): Questionnaire | undefined {
  if (typeof component !== 'object' || component === null) return undefined
  const { method, title, questions } = loose((component as Record<symbol, unknown>)[QUESTIONNAIRE_COMPONENT_KEY])
  if (method !== 'questionnaire') return undefined
  const rebuilt: unknown = { method, title, questions: each(questions, rebuildQuestion) }
  if (!isEnsoDialogSpec(rebuilt) || rebuilt.method !== 'questionnaire') return undefined
  return questionnaireRepeat(rebuilt.questions) === undefined ? rebuilt : undefined
}
