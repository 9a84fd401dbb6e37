import { signal } from '@preact/signals'

/** What a screen reader says when it comes to it: the reply as it grows, what began and ended. */
export const polite = signal('')

/** What it says at once: a question that waits. */
export const urgent = signal('')

/** Longest piece that is said, in characters. */
const SAID_MAX = 400

/** Says something when there is a pause. Two equal texts are told apart, so that both are said. */
export function say(text: string): void {
  polite.value = distinct(polite.peek(), text)
}

/** Says something at once. */
export function sayNow(text: string): void {
  urgent.value = distinct(urgent.peek(), text)
}

function distinct(before: string, text: string): string {
  const said = text.slice(0, SAID_MAX)
  return said === before ? `${said}\u00a0` : said
}
