import type { EnsoDialogBody, EnsoDialogSpec } from '../../core/index.js'

/** An answer without the question's id. */
export type CardAnswer = EnsoDialogBody extends infer Body ? (Body extends unknown ? Omit<Body, 'id'> : never) : never

/** What a card of any kind is given. */
export interface CardProps<Method extends EnsoDialogSpec['method']> {
  readonly dialog: Extract<EnsoDialogSpec, { method: Method }>
  readonly busy: boolean
  readonly answer: (answer: CardAnswer) => void
}
