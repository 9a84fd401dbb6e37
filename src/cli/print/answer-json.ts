/** Characters that JSON lets through and a terminal, or a reader of lines, would act on. */
// oxlint-disable-next-line no-control-regex
const ACTED_ON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** A checked answer as JSON for people and programs: indented, and harmless on a terminal without losing anything. */
export function answerJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replace(
    ACTED_ON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
