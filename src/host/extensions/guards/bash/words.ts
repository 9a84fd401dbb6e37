import {
  type DoubleQuotedChild,
  forEachChild,
  type ParsedScript,
  parse,
  type SyntaxNode,
  type Word,
  type WordPart,
} from 'unbash'
import { expandBraces } from './braces.js'
import { ANY, CLOSE, OPEN, settled, STAR, UNKNOWN, withGlobs } from './marks.js'
import { expandParameter, isListExpansion, type ParameterSource } from './parameters.js'

/** What a word's expansion asks of the shell around it. */
export interface WordSource extends ParameterSource {
  readonly home: string
  /** What the command made of `IFS`, where it set it. */
  separators(): string | undefined
  /** Runs what is inside `$(…)` for its dangers; its output where that is known. */
  substitute(script: ParsedScript): string | undefined
  /** The same for `<(…)` and `>(…)`; the name of the pipe the command gets instead. */
  pipe(script: ParsedScript): string
}

/** The fields being built: unquoted expansions split, everything else joins. */
interface Fields {
  readonly done: string[]
  current: string
  /** Something was there, if only empty quotes: the field counts even when it is empty. */
  open: boolean
}

/**
 * A word as the shell hands it to a command: zero or more fields, with quotes, `$'…'`, `~`, variables, substitutions
 * and braces resolved as far as they can be. What can't be told is `UNKNOWN`; active wildcards are marks.
 */
export function expandWord(word: Word, source: WordSource): string[] {
  if (word.parts?.some((part) => part.type === 'BraceExpansion') === true) {
    const texts = expandBraces(word.text)
    if (texts.length > 1 || texts[0] !== word.text) return texts.flatMap((text) => expandText(text, source))
  }
  const fields: Fields = { done: [], current: '', open: false }
  if (word.parts === undefined) add(fields, tilde(word.text, word.value, source))
  else word.parts.forEach((part, index) => addPart(fields, part, index === 0, source))
  close(fields)
  return fields.done
}

/** A word where the shell does not split: an assignment's value, a redirection's target, `case`. */
export function expandSingle(word: Word, source: WordSource): string {
  return expandWord(word, { ...source, splits: false }).join(' ')
}

function expandText(text: string, source: WordSource): string[] {
  const statement = parse(`: ${text}`).commands[0]
  const command = statement?.command
  if (command?.type !== 'Command') return [UNKNOWN]
  return command.args.flatMap((arg) => (arg.type === 'Word' ? expandWord(arg, source) : [arg.text]))
}

function add(fields: Fields, text: string): void {
  fields.current += text
  fields.open = true
}

function close(fields: Fields): void {
  if (fields.open) fields.done.push(settled(fields.current))
  fields.current = ''
  fields.open = false
}

/** The value of an unquoted expansion: split at blanks, its wildcards active. An empty one leaves no field behind. */
function addSplit(fields: Fields, value: string, source: WordSource): void {
  if (!source.splits) return add(fields, value)
  const pieces = value.split(separator(source.separators()))
  pieces.forEach((piece, index) => {
    if (index > 0) close(fields)
    if (piece !== '') add(fields, withGlobs(piece))
  })
}

function separator(chars: string | undefined): RegExp {
  if (chars === undefined) return /[ \t\n]+/
  return chars === '' ? /(?!)/ : new RegExp(`[${chars.replace(/[\\\]^-]/g, '\\$&')}]+`)
}

function tilde(text: string, value: string, source: WordSource): string {
  if (!text.startsWith('~')) return value
  const end = value.indexOf('/')
  const who = end === -1 ? value.slice(1) : value.slice(1, end)
  const rest = end === -1 ? '' : value.slice(end)
  if (who === '') return source.variable('HOME') + rest
  if (who === '+') return source.variable('PWD') + rest
  if (who === '-') return UNKNOWN + rest
  if (who === 'root') return `/root${rest}`
  return /^[a-z_][\w-]*$/i.test(who) ? `${source.home.replace(/[^/]+$/, '')}${who}${rest}` : value
}

function addPart(fields: Fields, part: WordPart, first: boolean, source: WordSource): void {
  switch (part.type) {
    case 'Literal':
      return add(fields, first ? tilde(part.text, part.value, source) : part.value)
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return add(fields, part.value)
    case 'DoubleQuoted':
    case 'LocaleString':
      return addQuoted(fields, part.parts, source)
    case 'Glob':
      if (part.kind === 'bracket') return add(fields, OPEN + bracketText(part.parts) + CLOSE)
      return add(fields, part.kind === 'star' ? STAR : ANY)
    case 'ExtendedGlob':
      visitScripts(part, source)
      return add(fields, STAR)
    case 'BraceExpansion':
      return add(fields, part.text)
    case 'ProcessSubstitution':
      return add(fields, part.script === undefined ? UNKNOWN : source.pipe(part.script))
    default: {
      const list = listOf(part, source)
      if (list === undefined) return addSplit(fields, valueOf(part, source), source)
      list.forEach((item, index) => {
        if (index > 0) close(fields)
        addSplit(fields, item, source)
      })
    }
  }
}

function bracketText(parts: readonly WordPart[]): string {
  return parts.map((part) => ('value' in part ? part.value : part.text)).join('')
}

function addQuoted(fields: Fields, parts: readonly DoubleQuotedChild[], source: WordSource): void {
  if (parts.length === 0) add(fields, '')
  for (const part of parts) {
    if (part.type === 'Literal') {
      add(fields, part.value)
      continue
    }
    const list = listOf(part, source)
    if (list === undefined) add(fields, valueOf(part, source))
    else {
      list.forEach((item, index) => {
        if (index > 0) close(fields)
        add(fields, item)
      })
    }
  }
}

function listOf(part: DoubleQuotedChild, source: WordSource): readonly string[] | undefined {
  return part.type === 'SimpleExpansion' || part.type === 'ParameterExpansion'
    ? isListExpansion(part, source)
    : undefined
}

function valueOf(part: DoubleQuotedChild, source: WordSource): string {
  switch (part.type) {
    case 'Literal':
      return part.value
    case 'CommandExpansion':
      return part.script === undefined ? UNKNOWN : (source.substitute(part.script) ?? UNKNOWN)
    case 'ArithmeticExpansion':
      visitScripts(part, source)
      return UNKNOWN
    default:
      return expandParameter(part, source, (word) => expandSingle(word, source))
  }
}

/** Runs each substitution inside a node for its dangers, where its text does not matter. */
export function visitScripts(node: SyntaxNode, source: WordSource): void {
  forEachChild(node, (child) => {
    if (child.type === 'Script') source.substitute(child)
    else visitScripts(child, source)
  })
}

/** A here-document's body: as it is when its delimiter was quoted, else with its expansions resolved. */
export function expandBody(text: string, parts: readonly WordPart[] | undefined, source: WordSource): string {
  if (parts === undefined) return text
  const whole = { ...source, splits: false }
  const fields: Fields = { done: [], current: '', open: false }
  for (const part of parts) {
    if (part.type === 'Literal') add(fields, part.value)
    else addPart(fields, part, false, whole)
  }
  close(fields)
  return fields.done.join(' ')
}
