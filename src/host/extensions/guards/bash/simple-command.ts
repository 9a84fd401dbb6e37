import type { Assignment, Command, CommandArgument } from 'unbash'
import { runAssigned } from './assignments.js'
import type { Shell } from './context.js'
import { UNKNOWN } from './marks.js'
import { applyRedirections } from './redirections.js'
import { runCommand } from './run-command.js'
import { wordSource } from './source.js'
import { assign } from './state.js'
import { everyWay } from './ways.js'
import { expandSingle, expandWord, type WordSource } from './words.js'

/** Judges a simple command, in every way its variables may stand. */
export function runSimpleCommand(node: Command, shell: Shell): string | undefined {
  const outputs = new Set(everyWay(shell, () => runOnce(node, shell)))
  return outputs.has(undefined) ? undefined : [...outputs].join('')
}

function runOnce(node: Command, shell: Shell): string | undefined {
  const revealed = new Set<string>()
  const source = wordSource(shell, revealed)
  const assigned = new Map<string, string>()
  for (const part of node.prefix) {
    if (part.type !== 'Assignment') continue
    const value = assignmentText(part, source)
    if (node.name === undefined) setVariable(part, value, shell, source)
    else assigned.set(part.name, value)
    runAssigned(part.name, value, shell)
  }
  const words = node.name === undefined ? [] : expandWord(node.name, source)
  words.push(...node.args.flatMap((arg) => argumentWords(arg, source)))
  const streams = applyRedirections(node.redirects, shell, revealed)
  if (words.length === 0) return streams.keep('')
  const inner = shell.over(shell.state, streams.stdin)
  return streams.keep(runCommand(words, inner, { assigned, revealed }))
}

function argumentWords(arg: CommandArgument, source: WordSource): string[] {
  if (arg.type === 'Word') return expandWord(arg, source)
  return [`${arg.name}${arg.append === true ? '+' : ''}=${assignmentText(arg, source)}`]
}

function assignmentText({ value }: Assignment, source: WordSource): string {
  if (value.type === 'Word') return expandSingle(value, source)
  return value.elements.flatMap((word) => expandWord(word, source)).join(' ')
}

function setVariable(part: Assignment, value: string, shell: Shell, source: WordSource): void {
  const { state } = shell
  if (part.index !== undefined) {
    expandSingle(part.index, source)
    assign(state, part.name, { texts: [UNKNOWN] })
  } else if (part.value.type === 'ArrayValue') {
    const before = part.append === true ? (state.variables.get(part.name)?.elements ?? []) : []
    const elements = [...before, ...part.value.elements.flatMap((word) => expandWord(word, source))]
    assign(state, part.name, { texts: [elements[0] ?? ''], elements })
  } else if (part.append === true) {
    assign(state, part.name, { texts: [source.variable(part.name) + value] })
  } else assign(state, part.name, { texts: [value] })
}
