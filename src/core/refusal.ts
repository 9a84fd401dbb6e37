import { type Static, Type } from '@sinclair/typebox'
import { closed } from './schema.js'

/** The closed list of refusal codes, each with the one HTTP status it is said with. */
export const ENSO_REFUSAL_CODES = {
  malformed: 400,
  unauthorized: 401,
  'forbidden-origin': 403,
  'not-found': 404,
  'unknown-dialog': 404,
  busy: 409,
  'too-large': 413,
  'unsupported-media-type': 415,
  refused: 422,
  'too-many-requests': 429,
} as const

/** Why something was refused, as a word a program can branch on. */
export type EnsoRefusalCode = keyof typeof ENSO_REFUSAL_CODES

const codes = Object.keys(ENSO_REFUSAL_CODES) as EnsoRefusalCode[]

/** A refusal: the code for a program, and one sentence for a person. */
export const EnsoRefusal = closed({
  code: Type.Union(codes.map((code) => Type.Literal(code))),
  reason: Type.String({ minLength: 1 }),
})
export type EnsoRefusal = Static<typeof EnsoRefusal>

/** Makes a refusal. */
export function refusal(code: EnsoRefusalCode, reason: string): EnsoRefusal {
  return { code, reason }
}
