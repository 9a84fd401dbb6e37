import { foldName } from '../paths.js'
import { policyOf } from '../world.js'
import { wordList } from './arguments.js'
import { applyBuiltin } from './builtins.js'
import { type CommandFacts, find, knownText, MAX_STEPS, type Shell } from './context.js'
import { runEmbedded } from './embedded.js'
import { runInterpreter } from './interpreters.js'
import { runList } from './list-runners.js'
import { ANY, globPattern, isGlob, isUnknown, UNKNOWN } from './marks.js'
import { outputOf } from './outputs.js'
import { retell } from './retelling.js'
import { BASH_RULES } from './rules/index.js'
import { networkEgressRule } from './rules/network-egress.js'
import { secretPathRule } from './rules/secret-path.js'
import { innerOf } from './wrappers.js'
import { noteEffects, programBehind } from './effects.js'

/** What stands around a command's words. */
export type CommandSurroundings = Pick<CommandFacts, 'assigned' | 'revealed'>

/** Judges one command; what it prints, where that is known. */
export function runCommand(argv: readonly string[], shell: Shell, around: CommandSurroundings): string | undefined {
  const { run, state } = shell
  if (++run.steps > MAX_STEPS) {
    run.doubt ??= `the command has more than ${MAX_STEPS} parts`
    return undefined
  }
  const word = argv[0]
  if (word === undefined) return ''
  run.watcher?.command(
    argv,
    Array.from(around.assigned, ([name, value]) => `${name}=${value}`),
  )
  const args = argv.slice(1)
  const name = nameOf(word, shell)
  const facts: CommandFacts = { name, argv, args, shell, ...around }
  if (isUnknown(word)) return runUnknown(facts)

  const body = word.includes('/') ? undefined : state.functions.get(word)
  if (body !== undefined && !run.calls.includes(word)) {
    run.calls.push(word)
    // The variables are the caller's; only the parameters are the function's own.
    const output = shell.runNode(body.body, { ...state, positional: args })
    run.calls.pop()
    // A function that was only perhaps defined leaves the program of that name.
    if (!policyOf(run.world)?.deniedNetworkBinaries.includes(name)) return output
  }
  // A function that calls itself may do so for ever.
  if (body !== undefined) run.unfollowed = true
  const program = programBehind(word, shell)
  if (program !== undefined && !run.calls.includes(`${word}\0`)) {
    run.calls.push(`${word}\0`)
    const output = runCommand([program, ...args], shell, around)
    run.calls.pop()
    return output
  }
  const written = word.includes('/') ? knownText(word, shell) : undefined
  if (written !== undefined) return runCommand([...shebangOf(written), word, ...args], shell, around)
  const listed = runList(facts)
  if (listed !== undefined) return listed.output
  const inner = innerOf(facts)
  if (inner !== undefined) {
    for (const finding of networkEgressRule.judge(facts)) find(run, finding)
    let output: string | undefined
    for (const one of inner) {
      output = 'text' in one ? shell.runText(one.text) : runCommand(one.argv, shell, around)
    }
    return output
  }
  for (const rule of BASH_RULES) for (const finding of rule.judge(facts)) find(run, finding)
  runEmbedded(facts)
  const interpreted = runInterpreter(facts)
  if (interpreted !== undefined) return interpreted.output
  retell(facts)
  const built = applyBuiltin(facts)
  if (built !== undefined) return built.output
  noteEffects(facts)
  return outputOf(facts)
}

function shebangOf(text: string): readonly string[] {
  const line = /^#!\s*([^\n]+)/.exec(text)?.[1]?.trim()
  return line === undefined ? ['bash'] : line.split(/\s+/)
}

/** The command word's last segment; a wildcard in it counts as a program it can match. */
function nameOf(word: string, shell: Shell): string {
  const name = foldName(word.slice(word.lastIndexOf('/') + 1))
  if (!isGlob(name)) return name.replace(/\.exe$/, '')
  const pattern = globPattern(name)
  const known = [...(policyOf(shell.run.world)?.deniedNetworkBinaries ?? []), ...WILD_NAMES]
  return known.find((one) => pattern.test(one)) ?? name
}

const WILD_NAMES = wordList(`
    bash sh env printenv sudo cat head tail less more strings base64 xxd cp mv rm tee dd ln git python
    python3 node perl ruby crontab chmod install
  `)

/** A command word that is only known when it runs: its operands are judged, and what it would be if it is empty. */
function runUnknown(facts: CommandFacts): string | undefined {
  const { shell, args, argv } = facts
  shell.run.unfollowed = true
  for (const finding of secretPathRule.judge({ ...facts, name: ANY })) find(shell.run, finding)
  const next = args[0]
  if (argv[0] === UNKNOWN && next !== undefined && !next.startsWith('-')) runCommand(args, shell, facts)
  return undefined
}
