import type { For, ParsedScript, Pipeline, Redirection, Select, SyntaxNode } from 'unbash'
import { MAX_DEPTH, type Run, type Shell } from './context.js'
import { isUnknown } from './marks.js'
import { readScript } from './parse.js'
import { applyRedirections } from './redirections.js'
import { runCommand } from './run-command.js'
import { runSimpleCommand } from './simple-command.js'
import { wordSource } from './source.js'
import { assign, forkShell, type ShellState } from './state.js'
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
      return joined(
        node.commands.map((command, index) =>
          node.operators[index - 1] === '||'
            ? perhaps(shell, () => evaluate(command, shell))
            : evaluate(command, shell),
        ),
      )
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
      perhaps(shell, () =>
        runNode(node.body, createShell(shell.run, { ...forkShell(shell.state), positional: undefined }, undefined)),
      )
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

/** Judges what may or may not run: what it assigns is one possibility more. */
function perhaps<T>({ state }: Shell, body: () => T): T {
  state.conditional++
  try {
    return body()
  } finally {
    state.conditional--
  }
}

function evaluatePipeline(node: Pipeline, shell: Shell): string | undefined {
  const [only] = node.commands
  if (node.commands.length === 1 && only !== undefined) return evaluate(only, shell)
  let input = shell.stdin
  for (const command of node.commands) input = evaluate(command, createShell(shell.run, forkShell(shell.state), input))
  return input
}

function redirected(command: SyntaxNode, redirects: readonly Redirection[], shell: Shell): string | undefined {
  const streams = applyRedirections(redirects, shell, new Set())
  const output = evaluate(command, createShell(shell.run, shell.state, streams.stdin))
  return streams.keep(output)
}

function evaluateLoop(node: For | Select, shell: Shell): string | undefined {
  const words = node.wordlist?.flatMap((word) => expandWord(word, wordSource(shell, new Set())))
  assign(shell.state, node.name.value, { texts: words ?? shell.state.positional ?? [] })
  return perhaps(shell, () => runNode(node.body, shell))
}
