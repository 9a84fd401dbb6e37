import { readScript } from '../guards/bash/parse.js'

/** Variables the shell itself obeys; those of the environment are obeyed by every program beside. */
const OBEYED = /^(?:PATH|HOME|IFS|CDPATH|EXECIGNORE|GLOBIGNORE|FUNCNEST|TMPDIR|POSIXLY_CORRECT|BASH.*|LD_.*)$/

const ARITHMETIC_TEST = /^-(?:eq|ne|lt|le|gt|ge|v|R)$/
/** Sums, comparisons and names; no index, no quotes, no command: working those out can run something. */
const PLAIN_SUM = /^(?:[\w\s+\-*/%<>=!&|?:,.~^()#@]|\$(?!\()|\$?\{[\w#]*\})*$/
/** A value that is a name or a number whenever it is worked out. */
const PLAIN_VALUE = /^["']?[\w./:+-]*["']?$/

type Node = Readonly<Record<string, unknown>>

interface Found {
  /** Something is worked out as a sum. */
  sums: boolean
  /** A variable is given a text that a sum could find a command in. */
  odd: boolean
  reason: string | undefined
}

/**
 * What a shell text does beside the commands that stand in it: it gives variables that programs obey another value, so
 * that the same words run something else, or works out a text as a sum, in which the shell runs commands.
 * @returns why it can't be told from its commands what it does, where it can't
 */
export function hiddenEffect(text: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const reading = readScript(text)
  if (!reading.ok) return reading.reason
  const found: Found = { sums: false, odd: false, reason: undefined }
  // Parts of a node are made when they are asked for; writing it down asks for all of them.
  JSON.stringify(reading.script, (_key, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'type' in value) look(value, found, env)
    return value
  })
  if (found.sums && found.odd) found.reason ??= 'it works out a text of its own as a sum'
  return found.reason
}

function look(node: Node, found: Found, env: Readonly<Record<string, string | undefined>>): void {
  const sets = (name: string, value: string): void => {
    if (OBEYED.test(name) || Object.hasOwn(env, name)) found.reason ??= `it sets ${name}, which programs obey`
    if (!PLAIN_VALUE.test(value)) found.odd = true
  }
  const sum = (text: string): void => {
    found.sums = true
    if (!PLAIN_SUM.test(text)) found.reason ??= 'it works out a sum that could run something'
  }
  switch (node['type']) {
    case 'Command':
      if (node['name'] === undefined) {
        for (const part of nodesOf(node['prefix'])) sets(String(part['name']), textOf(part['value']))
      }
      break
    case 'For':
    case 'Select':
      sets(textOf(node['name']), nodesOf(node['wordlist']).map(textOf).join(''))
      break
    case 'Coproc':
    case 'FileDescriptorVariable':
      if (node['name'] !== undefined) sets(typeof node['name'] === 'string' ? node['name'] : textOf(node['name']), '')
      break
    case 'ParameterExpansion':
      if (node['index'] !== undefined) sum(textOf(node['index']))
      lookAtExpansion(node, sets, sum, found)
      break
    case 'TestBinary':
      if (ARITHMETIC_TEST.test(String(node['operator']))) for (const side of ['left', 'right']) sum(textOf(node[side]))
      break
    case 'TestUnary':
      if (ARITHMETIC_TEST.test(String(node['operator']))) sum(textOf(node['operand']))
      break
    case 'ArithmeticWord':
      sum(String(node['value']))
      break
    case 'ArithmeticCommandExpansion':
      found.reason ??= 'it works out a sum that runs something'
      break
    case 'ArithmeticCommand':
    case 'ArithmeticExpansion':
      if (node['expression'] === undefined) found.reason ??= 'it works out a sum that can’t be read'
      break
    default:
  }
}

function lookAtExpansion(
  node: Node,
  sets: (name: string, value: string) => void,
  sum: (text: string) => void,
  found: Found,
): void {
  const operation = (node['operation'] ?? {}) as Node
  if (operation['type'] === 'Transform') found.reason ??= 'it expands the text of a variable once more'
  if (operation['type'] === 'Slice') sum(`${textOf(operation['offset'])} ${textOf(operation['length'])}`)
  if (operation['type'] === 'Default' && String(operation['operator']).endsWith('=')) {
    sets(String(node['parameter']), textOf(operation['operand']))
  }
}

function nodesOf(value: unknown): readonly Node[] {
  return Array.isArray(value) ? (value as readonly Node[]) : []
}

/** A word's text as it is written. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return ''
  const { text } = value as Node
  return typeof text === 'string' ? text : JSON.stringify(value)
}
