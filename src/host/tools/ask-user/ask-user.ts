import type { ExtensionUIContext, ToolDefinition } from '@mariozechner/pi-coding-agent'
import {
  ASK_USER_TOOL_NAME,
  AskUserToolParameters,
  type EnsoQuestion,
  type EnsoQuestionnaireResult,
  QUESTIONNAIRE_COMPONENT_KEY,
  questionnaireRepeat,
} from '../../../core/index.js'
import { QUESTIONNAIRE_TIMED_OUT } from '../../dialogs/extension-ui-context.js'
import { plainSchema } from '../plain-schema.js'
import { answeredResult, declinedResult, repeatRefusal } from './answers-in-words.js'
import { askPlainly } from './ask-plainly.js'

/** What the tool asks its host beside the questions. */
export interface AskUserToolOptions {
  /** Can somebody answer now? Decides only how a decline is worded. */
  canAsk(): boolean
}

/**
 * The tool the agent asks a person with: one to four questions as one questionnaire.
 *
 * Questions that repeat a header or an option are refused with what repeats. A decline is an ordinary result in words.
 */
export function createAskUserTool(options: AskUserToolOptions): ToolDefinition {
  return {
    name: ASK_USER_TOOL_NAME,
    label: 'Ask',
    description:
      'Ask the person one to four questions when the answer changes what you do and you cannot find it out yourself. ' +
      'Each question has two to four options; an answer in their own words is always possible besides. ' +
      'The person may decline: then go on without the answer or stop, but do not ask the same again.',
    // No line for the system prompt, which stays as it is where the tool is withheld.
    parameters: plainSchema(AskUserToolParameters),
    executionMode: 'sequential',
    execute: async (_id, params, signal, _onUpdate, ctx) => {
      const { questions } = params as AskUserToolParameters
      const repeat = questionnaireRepeat(questions)
      if (repeat) throw new Error(repeatRefusal(repeat))
      const shown = await askQuestionnaire(ctx.ui, questions)
      const answered = shown ?? (await askPlainly(ctx.ui, questions, signal))
      if ('answers' in answered) return answeredResult(questions, answered.answers)
      if (signal?.aborted) return declinedResult(questions, 'stopped')
      if (QUESTIONNAIRE_TIMED_OUT in answered) return declinedResult(questions, 'timeout')
      return declinedResult(questions, options.canAsk() ? 'declined' : 'nobody')
    },
  }
}

/** One questionnaire, carried by a component under a symbol; `undefined` when the host can't show one. */
function askQuestionnaire(
  ui: Pick<ExtensionUIContext, 'custom'>,
  questions: readonly EnsoQuestion[],
): Promise<EnsoQuestionnaireResult | undefined> {
  const title = questions.length === 1 ? questions[0]!.header : `${questions.length} questions`
  return ui.custom<EnsoQuestionnaireResult | undefined>((_tui, _theme, _keys, done) => {
    // A host that draws components instead of lifting this one is told at once that there is nothing to draw.
    queueMicrotask(() => done(undefined))
    return {
      [QUESTIONNAIRE_COMPONENT_KEY]: { method: 'questionnaire', title, questions },
      render: () => [],
      invalidate: () => undefined,
    }
  })
}
