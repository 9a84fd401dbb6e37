import { QUESTIONNAIRE_COMPONENT_KEY, isEnsoDialogSpec, questionnaireRepeat } from '../core/index.js'
import type { EnsoDialogSpec } from '../core/index.js'

type Questionnaire = Extract<EnsoDialogSpec, { method: 'questionnaire' }>

/**
 * The questionnaire a terminal component carries under its registered symbol, rebuilt from the known fields so that
 * nothing else it carries travels on. `undefined` when it carries none, or one that could not be answered: a header or
 * an option's label that repeats.
 */
export function liftQuestionnaire(component: unknown): Questionnaire | undefined {
  if (typeof component !== 'object' || component === null) return undefined
  const carried = (component as Record<symbol, unknown>)[QUESTIONNAIRE_COMPONENT_KEY]
  if (!isEnsoDialogSpec(carried) || carried.method !== 'questionnaire') return undefined
  if (questionnaireRepeat(carried.questions) !== undefined) return undefined
  return {
    method: 'questionnaire',
    title: carried.title,
    questions: carried.questions.map((question) => ({
      header: question.header,
      question: question.question,
      multiSelect: question.multiSelect,
      options: question.options.map((option) => ({
        label: option.label,
        ...(option.description === undefined ? {} : { description: option.description }),
      })),
    })),
  }
}
