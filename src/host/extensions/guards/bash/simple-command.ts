import type { Assignment, Command, CommandArgument } from 'unbash'
import { runAssigned } from './assignments.js'
import type { Shell } from './context.js'
import { UNKNOWN } from './marks.js'
import { applyRedirections } from './redirections.js'
import { runCommand } from './run-command.js'
import { wordSource } from './source.js'
import { assign } from './state.js'
import { expandSingle, expandWord, type WordSource } from './words.js'

/** More ways for one command to run than this are not judged but refused. */
const MAX_WAYS = 512

/**
 * Judges a simple command once for each way its variables may stand (`for f in a b`, branches). Commands inside it
 * take the way of the outermost, so that one variable is one thing throughout.
 */
export function runSimpleCommand(node: Command, shell: Shell): string | undefined {
  const { run, state } = shell
  if (run.picking) return runOnce(node, shell)
  run.picking = true
  run.picks.clear()
  run.choices.clear()
  try {
    const outputs = new Set([runOnce(node, shell)])
    const ways = [...run.choices]
    const count = ways.reduce((product, [, choices]) => product * choices, 1)
    if (count > MAX_WAYS) run.doubt ??= 'the command can run in too many ways'
    // What a further way assigns is a further possibility.
    state.conditional++
    for (let way = 1; way < Math.min(count, MAX_WAYS) && run.doubt === undefined; way++) {
      let rest = way
      for (const [name, choices] of ways) {
        run.picks.set(name, rest % choices)
        rest = Math.floor(rest / choices)
      }
      outputs.add(runOnce(node, shell))
    }
    state.conditional--
    return outputs.has(undefined) ? undefined : [...outputs].join('')
  } finally {
    run.picking = false
    run.picks.clear()
  }
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
