import { type Static, Type } from '@sinclair/typebox'
import { closed } from './schema.js'

/** Name of the tool the agent asks a person with. */
export const ASK_USER_TOOL_NAME = 'ask_user'

const AskedOption = closed({
  label: Type.String({
    minLength: 1,
    description: 'What the person picks: a few words, distinct within the question.',
  }),
  description: Type.String({ description: 'What follows from picking it.' }),
})

const AskedQuestion = closed({
  header: Type.String({ minLength: 1, description: 'One or two words naming the question, distinct within the call.' }),
  question: Type.String({ minLength: 1, description: 'The full question.' }),
  options: Type.Array(AskedOption, {
    minItems: 2,
    maxItems: 4,
    description: 'Two to four choices. A free-text answer is always offered besides; do not list one.',
  }),
  multiSelect: Type.Boolean({ description: 'Whether several options may be picked together.' }),
})

/** Parameters of the `ask_user` tool: one to four questions, each with two to four described options. */
export const AskUserToolParameters = closed({
  questions: Type.Array(AskedQuestion, { minItems: 1, maxItems: 4, description: 'The questions, asked together.' }),
})
export type AskUserToolParameters = Static<typeof AskUserToolParameters>
