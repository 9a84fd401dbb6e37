import { logLineText } from '../core/log-tail.js'
import type { EnsoLogLine } from '../core/log.js'
import { createAbsence, createTemplateTable } from './line-form.js'
import { escapeControls } from './line-text.js'

/** Looks for one text in lines. */
export interface LineGrep {
  /** Told of a line in our own writer's form without parsing it: the text can't be in it. */
  isAbsent(buffer: Buffer, start: number, end: number): boolean
  /** The text stands in the line's message, in its logger's name or in a property, as it is or inside data. */
  isIn(line: EnsoLogLine): boolean
}

/** A search for a text, capitals and small letters apart. */
export function createLineGrep(text: string): LineGrep {
  // Inside a string a quote or a line feed of the text stands escaped; what is written as data is JSON itself.
  const escaped = JSON.stringify(text).slice(1, -1)
  const spellings = [...new Set([text, escaped])]
  const absences = [...new Set(spellings.map(escapeControls))].map((needle) => createAbsence(Buffer.from(needle)))
  const crossings = createTemplateTable((template) => canCross(template, text))

  return {
    isAbsent: (buffer, start, end) =>
      absences.every((isAbsent) => isAbsent(buffer, start, end)) && crossings.of(buffer, start, end) === false,
    isIn: (line) =>
      logLineText(line).includes(text) ||
      line.logger.includes(text) ||
      Object.values(line.properties ?? {}).some((value) => holds(value, text, spellings)),
  }
}

function holds(value: unknown, text: string, spellings: readonly string[]): boolean {
  if (typeof value === 'string') return value.includes(text)
  const json = JSON.stringify(value)
  return spellings.some((spelling) => json.includes(spelling))
}

const PLACEHOLDER = /\{[^{}]*\}/

/**
 * Could the text lie across a template's own words and a value, so that no line holds it in one piece? Said of more
 * templates than it is true of, never of fewer.
 */
function canCross(template: string, text: string): boolean {
  if (template.includes('{{') || template.includes('}}')) return true
  const words = template.split(PLACEHOLDER)
  return words.some((word, index) => {
    const beforeValue = index < words.length - 1
    const behindValue = index > 0
    if (word === '') return beforeValue && behindValue
    for (let at = 1; at < text.length; at++) {
      if (beforeValue && eitherEnds(word, text.slice(0, at))) return true
      if (behindValue && eitherBegins(word, text.slice(at))) return true
    }
    return false
  })
}

function eitherEnds(a: string, b: string): boolean {
  return a.endsWith(b) || b.endsWith(a)
}

function eitherBegins(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a)
}
