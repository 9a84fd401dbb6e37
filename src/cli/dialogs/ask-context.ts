import type { DialogAnswer } from '../../core/index.js'
import type { Palette } from '../print/palette.js'
import type { Asked, Asking } from './asking.js'

/** An answer without the id of its question. */
export type AnswerBody = DialogAnswer extends infer Answer
  ? Answer extends unknown
    ? Omit<Answer, 'id'>
    : never
  : never

/** What asking one question needs. */
export interface AskContext {
  readonly asking: Asking
  readonly palette: Palette
  /** Aborted when the question is settled elsewhere. */
  readonly closed: AbortSignal
  /** Milliseconds the question has left, or `undefined` when it waits for ever. */
  readonly left: () => number | undefined
  /** Opens a text in the person's editor; `undefined` when there is none. */
  readonly editor: TextEditor | undefined
}

/** A program that edits a text: answers the text, or nothing when it was left without saving. */
export interface TextEditor {
  readonly name: string
  edit(prefill: string, closed: AbortSignal): Promise<string | undefined>
}

/** Turns a value asked for into an answer's body. */
export function mapAsked<From, To>(asked: Asked<From>, to: (value: From) => To): Asked<To> {
  return asked.kind === 'value' ? { kind: 'value', value: to(asked.value) } : asked
}
