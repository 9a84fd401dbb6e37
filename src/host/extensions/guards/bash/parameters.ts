import type { ParameterExpansionPart, ParameterOperation, SimpleExpansionPart, Word } from 'unbash'
import { globPattern, isUnknown, MAYBE, SECRET, UNKNOWN, unknownOf, withGlobs } from './marks.js'

/** Where the values of variables come from. */
export interface ParameterSource {
  /** Do unquoted expansions split here? */
  readonly splits: boolean
  /** A variable's text: `''` where it is unset, `UNKNOWN` where that can't be told. */
  variable(name: string): string
  /** Is the variable certainly without a value? */
  isUnset(name: string): boolean
  /** An array's elements, or the positional parameters for `@` and `*`; `undefined` where it is no array. */
  elements(name: string): readonly string[] | undefined
  /** `${name:=value}` sets the variable. */
  set(name: string, value: string): void
  /** A secret variable's value goes where it can be read. */
  reveals(name: string): void
}

type Parameter = SimpleExpansionPart | ParameterExpansionPart
type Expand = (word: Word) => string

/** The fields of `"$@"` and `"${array[@]}"`, or `undefined` for an expansion to one text. */
export function isListExpansion(part: Parameter, source: ParameterSource): readonly string[] | undefined {
  if (part.type === 'SimpleExpansion') {
    const name = part.text.slice(1)
    return name === '@' || name === '*' ? source.elements(name) : undefined
  }
  if (part.operation !== undefined || part.prefix !== undefined) return undefined
  if (part.parameter === '@' || part.parameter === '*') return source.elements(part.parameter)
  const index = part.index?.text
  return index === '@' || index === '*' ? source.elements(part.parameter) : undefined
}

/** A variable's expansion as one text. */
export function expandParameter(part: Parameter, source: ParameterSource, expand: Expand): string {
  if (part.type === 'SimpleExpansion') return plain(part.text.slice(1), source)
  const { parameter: name, prefix, operation } = part
  if (prefix === '#') {
    const value = source.variable(name)
    return isUnknown(value) ? UNKNOWN : String(value.length)
  }
  if (prefix === '!') {
    const target = source.variable(name)
    if (/^\w+$/.test(target)) return plain(target, source)
    // Which variable is read is not known: it may be any, and so one that holds a secret.
    return isUnknown(target) ? UNKNOWN + SECRET : UNKNOWN
  }
  if (part.index !== undefined) return elementOf(name, part.index, source, expand)
  return operation === undefined ? plain(name, source) : operated(name, operation, source, expand)
}

function plain(name: string, source: ParameterSource): string {
  source.reveals(name)
  if (source.isUnset(name)) return /^[A-Za-z_]\w*$/.test(name) ? MAYBE : ''
  return source.variable(name)
}

function elementOf(name: string, index: Word, source: ParameterSource, expand: Expand): string {
  const elements = source.elements(name)
  const place = Number(expand(index))
  return elements === undefined || !Number.isInteger(place) ? UNKNOWN : (elements.at(place) ?? '')
}

function operated(name: string, operation: ParameterOperation, source: ParameterSource, expand: Expand): string {
  const value = source.variable(name)
  switch (operation.type) {
    case 'Default':
      return defaulted(name, value, operation.operator, expand(operation.operand), source)
    case 'Slice': {
      source.reveals(name)
      const offset = Number(expand(operation.offset))
      const length = operation.length === undefined ? undefined : Number(expand(operation.length))
      if (isUnknown(value) || !Number.isInteger(offset) || Number.isNaN(length)) return unknownOf(value)
      return value.slice(offset, length === undefined ? undefined : length < 0 ? length : offset + length)
    }
    case 'Remove':
      source.reveals(name)
      return isUnknown(value) ? unknownOf(value) : removed(value, operation.operator, expand(operation.operand))
    case 'Replace': {
      source.reveals(name)
      const pattern = expand(operation.pattern)
      const replacement = expand(operation.replacement)
      if (isUnknown(value + pattern)) return unknownOf(value)
      return replaced(value, operation.operator, pattern, replacement)
    }
    case 'CaseModification': {
      source.reveals(name)
      const { operator } = operation
      const change = (text: string) => (operator.startsWith('^') ? text.toUpperCase() : text.toLowerCase())
      return operator.length === 2 ? change(value) : change(value.slice(0, 1)) + value.slice(1)
    }
    case 'Transform':
      source.reveals(name)
      return unknownOf(value)
    default:
      return UNKNOWN
  }
}

function defaulted(name: string, value: string, operator: string, operand: string, source: ParameterSource): string {
  const empty = source.isUnset(name) || (operator.startsWith(':') && value === '')
  if (operator.endsWith('+')) return empty ? '' : operand
  if (!empty) {
    source.reveals(name)
    // A variable of the surroundings may be unset after all: then the default is what runs.
    return isUnknown(value) && operand !== '' && !operator.endsWith('?') ? operand : value
  }
  if (operator.endsWith('=')) source.set(name, operand)
  return operator.endsWith('?') ? UNKNOWN : operand
}

function removed(value: string, operator: '#' | '##' | '%' | '%%', pattern: string): string {
  const matcher = globPattern(withGlobs(pattern))
  const lengths = Array.from({ length: value.length + 1 }, (_, index) => index)
  if (operator === '##' || operator === '%%') lengths.reverse()
  const cut = (length: number) =>
    operator.startsWith('#') ? value.slice(0, length) : value.slice(value.length - length)
  const length = lengths.find((candidate) => matcher.test(cut(candidate)))
  if (length === undefined) return value
  return operator.startsWith('#') ? value.slice(length) : value.slice(0, value.length - length)
}

function replaced(value: string, operator: string, pattern: string, replacement: string): string {
  if (/[*?[\]]/.test(pattern)) return UNKNOWN
  if (pattern === '') return value
  if (operator === '//') return value.replaceAll(pattern, replacement)
  if (operator === '/#') return value.startsWith(pattern) ? replacement + value.slice(pattern.length) : value
  if (operator === '/%') return value.endsWith(pattern) ? value.slice(0, -pattern.length) + replacement : value
  return value.replace(pattern, () => replacement)
}
