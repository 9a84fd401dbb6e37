import type { EnsoContextSystemRecord } from '../../core/index.js'

type Section = EnsoContextSystemRecord['sections'][number]

/** A text that was put into the system prompt beside the agent's own instructions. */
export interface InjectedText {
  readonly key: string
  readonly label: string
  readonly text: string
}

interface Found extends InjectedText {
  readonly start: number
}

/**
 * A system prompt in pieces that join to it again: the injected texts that are found in it, in the order they stand,
 * and the agent's own between them. What follows `lastLine`, with which the prompt ended before extensions had their
 * say, is theirs.
 */
export function splitSystemPrompt(
  prompt: string,
  injected: readonly InjectedText[],
  lastLine: string | undefined,
): Section[] {
  const end = lastLine === undefined ? -1 : prompt.lastIndexOf(lastLine)
  const own = lastLine === undefined || end === -1 ? prompt : prompt.slice(0, end + lastLine.length)
  const sections: Section[] = []
  let at = 0
  const addOwn = (until: number): void => {
    if (until > at) sections.push(ownSection(sections, own.slice(at, until)))
  }
  for (const { key, label, text, start } of foundIn(own, injected)) {
    if (start < at) continue
    addOwn(start)
    sections.push({ key, label, category: 'injected', text })
    at = start + text.length
  }
  addOwn(own.length)
  if (prompt.length > own.length) {
    sections.push({
      key: 'extensions',
      label: 'added by extensions',
      category: 'injected',
      text: prompt.slice(own.length),
    })
  }
  return sections
}

function foundIn(prompt: string, injected: readonly InjectedText[]): Found[] {
  return injected
    .filter(({ text }) => text.trim() !== '')
    .map((one) => ({ ...one, start: prompt.indexOf(one.text) }))
    .filter(({ start }) => start !== -1)
    .sort((a, b) => a.start - b.start)
}

function ownSection(before: readonly Section[], text: string): Section {
  const count = before.filter(({ category }) => category === 'system').length
  const name = count === 0 ? 'instructions' : `instructions ${count + 1}`
  return { key: name.replace(' ', '-'), label: name, category: 'system', text }
}
