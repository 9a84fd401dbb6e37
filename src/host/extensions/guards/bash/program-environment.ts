import { isSecretVariable } from '../secrets.js'
import type { CommandFacts } from './context.js'
import { sortArguments } from './arguments.js'

/** What a `jq` program takes of the environment. */
export interface EnvironmentReading {
  readonly whole: boolean
  /** The first variable of it that holds a secret. */
  readonly name: string | undefined
}

/** `env`, `$ENV`, `env.NAME`, and yq's `strenv(NAME)`; `undefined` where the words take nothing of it. */
export function jqReads(args: readonly string[]): EnvironmentReading | undefined {
  const program = sortArguments(args, '--arg --argjson --slurpfile --rawfile --indent --tab').operands.find(
    (word) => !/^\w+$/.test(word) || word === 'env',
  )
  if (program === undefined) return undefined
  const text = program.replace(/"(?:[^"\\]|\\.)*"/g, (literal) => (/^"\w+"$/.test(literal) ? literal : '""'))
  const names = [...text.matchAll(/(?:\$ENV|(?<![\w.$"])env)\s*(?:\.\s*|\[\s*)"?(\w+)|\b(?:str)?env\((\w+)\)/g)].map(
    (match) => match[1] ?? match[2] ?? '',
  )
  const whole = /(?:\$ENV\b|(?<![\w.$"])env\b(?!\s*["(:]))(?!\s*(?:\.\s*\w|\[))/.test(text)
  return { whole, name: names.find(isSecretVariable) }
}

/** A secret variable that `envsubst` would put into a text that is known. */
export function envsubstReads({ args, shell }: CommandFacts): string | undefined {
  const allowed = args.find((word) => !word.startsWith('-'))
  const names = [...(shell.stdin ?? '').matchAll(/\$\{?(\w+)/g)].map((match) => match[1] ?? '')
  return names.find((name) => isSecretVariable(name) && (allowed === undefined || allowed.includes(name)))
}
