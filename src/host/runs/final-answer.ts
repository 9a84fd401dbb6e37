import type { AgentSession, ExtensionFactory, ToolDefinition } from '@mariozechner/pi-coding-agent'
import type { StructuredAnswer } from '../../core/index.js'
import { plainSchema } from '../tools/plain-schema.js'
import { loose } from '../observe/message-values.js'
import type { OutputSchema } from './output-schema.js'
import { Type } from '@sinclair/typebox'

/** The tool a model gives its answer through, where the answer has a schema. */
export const FINAL_ANSWER_TOOL = 'final_answer'

/** How often a model is asked again: for an answer that does not fit, or for none at all. */
export const ASKED_AGAIN_MAX = 3

const ASK_AGAIN_TYPE = 'enso-final-answer'
const REFUSED = { refused: true } as const

const INSTRUCTIONS =
  `When the work is done, give the answer by calling ${FINAL_ANSWER_TOOL} once, with arguments that fit its schema ` +
  'exactly. Only that call is read as the answer; text beside it is not. It ends your work, so make no other call with it.'

const ASK_AGAIN = `You have not given the answer yet. Call ${FINAL_ANSWER_TOOL} with it now; text is not read.`

/** An answer that must fit a schema: how the model is asked for it, and what has come of it. */
export interface FinalAnswer {
  readonly tool: ToolDefinition
  readonly extension: ExtensionFactory
  /** For the end of the system prompt. */
  readonly instructions: string
  /** What the model is told that the tool takes; the tool itself takes anything, and checks it. */
  readonly parameters: OutputSchema['parameters']
  /** Must come before the session's first run. */
  attach(agent: AgentSession['agent']): void
  /** The answer to the last prompt, or why there is none. */
  outcome(): StructuredAnswer
}

function descriptionOf({ fullText }: OutputSchema): string {
  const what = 'Gives the final answer. Call it once, when everything else is done.'
  return fullText === undefined ? what : `${what} The answer must fit this JSON Schema: ${fullText}`
}

/**
 * Prepares one thread for answers that fit a schema. A wrong answer, and a reply without one, is asked for again a
 * bounded number of times; what does not fit is never an answer.
 * @throws EnsoError `bad-input` for a schema that is none
 */
export async function createFinalAnswer(given: unknown): Promise<FinalAnswer> {
  // The checker is loaded only where an answer is checked.
  const { compileOutputSchema } = await import('./output-schema.js')
  const schema = compileOutputSchema(given)
  let answer: { readonly value: unknown } | undefined
  let problem: string | undefined
  let asked = 0

  function begin(): void {
    answer = undefined
    problem = undefined
    asked = 0
  }

  const tool: ToolDefinition = {
    name: FINAL_ANSWER_TOOL,
    label: 'Answer',
    description: descriptionOf(schema),
    parameters: plainSchema(Type.Unknown()),
    executionMode: 'sequential',
    execute: async (_id, args) => {
      const value = schema.answerIn(args)
      problem = schema.problem(value)
      if (problem === undefined) {
        answer = { value: structuredClone(value) }
        return { content: [{ type: 'text', text: 'The answer was taken.' }], details: {}, terminate: true }
      }
      const why = `The answer does not fit its schema: ${problem}.`
      if (asked >= ASKED_AGAIN_MAX) {
        const text = `${why} It is not asked for again.`
        return { content: [{ type: 'text', text }], details: REFUSED, terminate: true }
      }
      asked++
      throw new Error(`${why} Correct it and call ${FINAL_ANSWER_TOOL} again.`)
    },
  }

  return {
    tool,
    instructions: INSTRUCTIONS,
    parameters: schema.parameters,
    extension: (pi) => {
      // A call that ends the run can't throw; it is an error all the same.
      pi.on('tool_result', ({ toolName, details }) =>
        toolName === FINAL_ANSWER_TOOL && loose(details)['refused'] === true ? { isError: true } : undefined,
      )
    },
    attach(agent) {
      const { streamFn } = agent
      agent.streamFn = (model, context, options) => {
        const tools = context.tools?.map((offered) =>
          offered.name === FINAL_ANSWER_TOOL ? { ...offered, parameters: schema.parameters } : offered,
        )
        return streamFn(model, tools === undefined ? context : { ...context, tools }, options)
      }
      agent.subscribe((event) => {
        if (event.type === 'message_start' && event.message.role === 'user') begin()
        if (event.type !== 'turn_end' || event.message.role !== 'assistant') return
        const { stopReason } = event.message
        if (stopReason !== 'stop' || event.toolResults.length > 0 || answer !== undefined) return
        if (asked >= ASKED_AGAIN_MAX || agent.hasQueuedMessages()) return
        asked++
        const content = problem === undefined ? ASK_AGAIN : `${ASK_AGAIN} Your last call did not fit: ${problem}.`
        agent.followUp({ role: 'custom', customType: ASK_AGAIN_TYPE, content, display: true, timestamp: Date.now() })
      })
    },
    outcome() {
      if (answer !== undefined) return { ok: true, value: answer.value }
      const why = problem === undefined ? 'the model gave none' : problem
      return { ok: false, reason: `there is no answer that fits the output schema: ${why}` }
    },
  }
}
