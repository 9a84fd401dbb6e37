import type { AndOr, For, ParsedScript, Pipeline, Redirection, Select, SyntaxNode } from 'unbash'
import { MAX_DEPTH, type Run, type Shell } from './context.js'
import { isUnknown, UNKNOWN } from './marks.js'
import { readScript } from './parse.js'
import { applyRedirections } from './redirections.js'
import { runCommand } from './run-command.js'
import { runSimpleCommand } from './simple-command.js'
import { wordSource } from './source.js'
import { assign, forkShell, type ShellState } from './state.js'
import { everyWay, perhaps } from './ways.js'
import { expandSingle, expandWord, visitScripts } from './words.js'

/** A shell over a state. `stdin` is the text on its input where that is known. */
export function createShell(run: Run, state: ShellState, stdin: string | undefined): Shell {
  return {
    run,
    state,
    stdin,
    runText(text, inner = state, input = stdin) {
      const reading = readScript(text)
      run.unfollowed ||= isUnknown(text)
      if (reading.ok) return runNode(reading.script, createShell(run, inner, input))
      run.doubt ??= reading.reason
      return undefined
    },
    runArgv: (argv, inner = state, input = stdin) =>
      runCommand(argv, createShell(run, inner, input), { assigned: new Map(), revealed: new Set() }),
    over: (inner, input) => createShell(run, inner, input),
    runNode: (node, inner) => runNode(node, createShell(run, inner, stdin)),
  }
}

/** Judges one node of the tree one level deeper. */
function runNode(node: SyntaxNode, shell: Shell): string | undefined {
  const { run } = shell
  if (run.depth >= MAX_DEPTH) {
    run.doubt ??= `the command is nested more than ${MAX_DEPTH} levels deep`
    return undefined
  }
  run.depth++
  try {
    return evaluate(node, shell)
  } finally {
    run.depth--
  }
}

/** Judges one node of the tree; what it prints, where that is known. */
function evaluate(node: SyntaxNode, shell: Shell): string | undefined {
  switch (node.type) {
    case 'Script':
      return evaluateScript(node, shell)
    case 'CompoundList':
      return inTurn(node.commands, shell)
    case 'Statement':
      return evaluate(node.command, shell)
    case 'AndOr':
      return evaluateChain(node, shell)
    case 'Pipeline':
      return evaluatePipeline(node, shell)
    case 'Command':
      return runSimpleCommand(node, shell)
    case 'Redirected':
      return redirected(node.command, node.redirects, shell)
    case 'Subshell':
      return runNode(node.body, createShell(shell.run, forkShell(shell.state), shell.stdin))
    case 'BraceGroup':
      return runNode(node.body, shell)
    case 'If':
      return joined([
        runNode(node.clause, shell),
        perhaps(shell, () => runNode(node.then, shell)),
        ...node.elif.flatMap((part) => perhaps(shell, () => [runNode(part.clause, shell), runNode(part.then, shell)])),
        node.else === undefined ? '' : perhaps(shell, () => runNode(node.else as SyntaxNode, shell)),
      ])
    case 'While':
      return perhaps(shell, () => joined([runNode(node.clause, shell), runNode(node.body, shell)]))
    case 'For':
    case 'Select':
      return evaluateLoop(node, shell)
    case 'ArithmeticFor':
      visitScripts(node, wordSource(shell, new Set()))
      return perhaps(shell, () => runNode(node.body, shell))
    case 'Case':
      expandSingle(node.word, wordSource(shell, new Set()))
      return joined(
        node.items.map((item) => {
          for (const pattern of item.pattern) expandSingle(pattern, wordSource(shell, new Set()))
          return perhaps(shell, () => runNode(item.body, shell))
        }),
      )
    case 'Function':
      shell.state.functions.set(node.name.value, node)
      runNode(node.body, createShell(shell.run, { ...forkShell(shell.state), positional: undefined }, undefined))
      return ''
    case 'Coproc':
      return runNode(node.body, createShell(shell.run, forkShell(shell.state), undefined))
    case 'TestCommand':
    case 'ArithmeticCommand':
      visitScripts(node, wordSource(shell, new Set()))
      return ''
    default:
      return undefined
  }
}

function evaluateScript(script: ParsedScript, shell: Shell): string | undefined {
  const error = script.errors?.[0]
  if (error !== undefined) shell.run.doubt ??= `the command does not parse (${error.message})`
  return inTurn(script.commands, shell)
}

function inTurn(nodes: readonly SyntaxNode[], shell: Shell): string | undefined {
  return joined(nodes.map((node) => evaluate(node, shell)))
}

const joined = (outputs: readonly (string | undefined)[]): string | undefined =>
  outputs.includes(undefined) ? undefined : outputs.join('')

function evaluatePipeline(node: Pipeline, shell: Shell): string | undefined {
  const [only] = node.commands
  if (node.commands.length === 1 && only !== undefined) return evaluate(only, shell)
  let input = shell.stdin
  for (const command of node.commands) input = evaluate(command, createShell(shell.run, forkShell(shell.state), input))
  return input
}

/** `a && b || c`: the first runs, the others may; each sees what those before it did. */
function evaluateChain({ commands }: AndOr, shell: Shell): string | undefined {
  const [first, ...rest] = commands
  if (first === undefined) return ''
  const output = evaluate(first, shell)
  return joined([output, perhaps(shell, () => inTurn(rest, shell))])
}

function redirected(command: SyntaxNode, redirects: readonly Redirection[], shell: Shell): string | undefined {
  const [streams] = everyWay(shell, () => applyRedirections(redirects, shell, new Set()))
  const output = evaluate(command, createShell(shell.run, shell.state, streams?.stdin))
  return streams?.keep(output)
}

/** Loops over more words than this are walked once, with the words as possibilities. */
const MAX_TURNS = 32

function evaluateLoop(node: For | Select, shell: Shell): string | undefined {
  const name = node.name.value
  const listed = everyWay(shell, () => node.wordlist?.flatMap((word) => expandWord(word, wordSource(shell, new Set()))))
  const words = listed.flatMap((list) => list ?? shell.state.positional ?? [UNKNOWN])
  if (words.length > MAX_TURNS) {
    assign(shell.state, name, { texts: words })
    return perhaps(shell, () => runNode(node.body, shell))
  }
  return perhaps(shell, () =>
    joined(
      words.map((word) => {
        assign(shell.state, name, { texts: [word] })
        return runNode(node.body, shell)
      }),
    ),
  )
}
