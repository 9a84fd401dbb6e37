import { type Finding, shown } from '../../finding.js'
import { isSecretVariable } from '../../secrets.js'
import type { CommandFacts } from '../context.js'
import { readGitCall } from '../git.js'
import { isTainted } from '../marks.js'
import { envsubstReads, jqReads } from '../program-environment.js'
import { wordSet } from '../arguments.js'
import type { BashRule } from './rule.js'

/** Commands that print their words or their input, or leave them where anybody reads them: in a name, in a commit. */
const PRINTERS = wordSet(
  `echo printf cat tee base64 base32 xxd od hexdump rev tac nl tr wc fold fmt pr head tail cut paste sort uniq comm column
  expand strings grep egrep fgrep rg sed gsed awk gawk mawk diff logger jq yq sha256sum sha1sum md5sum openssl touch mkdir
  ls stat cd cp mv ln say wall write notify-send figlet`,
)

/** Why the command prints the environment, as words for the reason; or `undefined`. */
function dumped({ name, args }: CommandFacts): string | undefined {
  const flags = args.filter((word) => word.startsWith('-'))
  const words = args.filter((word) => !word.startsWith('-'))
  switch (name) {
    case 'env':
    case 'genv':
      return flags.some((flag) => /^(?:--help|--version|-\w*i\w*|-|--ignore-environment)$/.test(flag))
        ? undefined
        : 'env without a command'
    case 'printenv':
    case 'gprintenv': {
      if (flags.includes('--help') || flags.includes('--version')) return undefined
      return words.length === 0 ? 'printenv without a name' : undefined
    }
    case 'set':
      return args.length === 0 ? 'set without options' : undefined
    case 'export':
    case 'readonly':
      return words.length === 0 && !flags.includes('-f') ? `${name} without a name` : undefined
    case 'declare':
    case 'typeset':
    case 'local':
      return words.length === 0 && !flags.some((flag) => /^-\w*[fF]/.test(flag)) ? `${name} without a name` : undefined
    case 'compgen':
      return flags.some((flag) => /^-\w*[ev]/.test(flag)) || /^-A(?:variable|export|arrayvar)/.test(args.join(''))
        ? 'a list of all variables'
        : undefined
    case 'ps':
      return words.some(
        (word) =>
          /^[a-zA-Z]*e[a-zA-Z]*$/.test(word) &&
          !/[=,]/.test(word) &&
          args[args.indexOf(word) - 1] !== '-C' &&
          isBsdOptions(word),
      ) ||
        flags.includes('-E') ||
        flags.some((flag) => /^-[a-zA-Z]*E/.test(flag))
        ? 'ps with the environment of processes'
        : undefined
    case 'systemctl':
      return words[0] === 'show-environment' ? 'systemctl show-environment' : undefined
    case 'launchctl':
      return words[0] === 'export' ? 'launchctl export' : undefined
    case 'npm':
    case 'yarn':
      return words[0] === 'env' && name === 'npm'
        ? undefined
        : /^(?:run|run-script)$/.test(words[0] ?? '') && words[1] === 'env'
          ? `${name} run env`
          : undefined
    case 'jq':
    case 'gojq':
      return jqReads(args)?.whole === true ? `${name} with env` : undefined
    case 'tmux':
      return /^show-env(?:ironment)?$/.test(words[0] ?? '') ? 'tmux show-environment' : undefined
    case 'gdb':
      return args.some((word) => /^(?:info|show) environ/.test(word)) ? 'gdb info environ' : undefined
    case 'direnv':
      return /^(?:export|dump|show_dump)$/.test(words[0] ?? '') ? 'direnv' : undefined
    case 'php':
      return flags.includes('-i') ? 'php -i' : undefined
    case 'make':
    case 'gmake':
      return flags.some((flag) => /^-\w*p/.test(flag) || flag === '--print-data-base')
        ? 'make --print-data-base'
        : undefined
    default:
      return undefined
  }
}

/** `ps eww`, `ps auxe`: letters alone are options of the old kind, of which `e` adds the environment. */
const isBsdOptions = (word: string): boolean => /^[aAcCefgjklLmNnoOprsStTuUvwxXZ]+$/.test(word)

function revealedName(facts: CommandFacts): string | undefined {
  if (facts.name === 'printenv') return facts.args.find(isSecretVariable)
  if (printsWords(facts)) {
    const named = [...facts.revealed][0]
    if (named !== undefined) return named
    if (facts.args.some(isTainted) || isTainted(facts.shell.stdin ?? '')) return 'what the command prints'
  }
  if (facts.name === 'jq' || facts.name === 'gojq' || facts.name === 'yq') return jqReads(facts.args)?.name
  if (facts.name === 'envsubst') return envsubstReads(facts)
  if (/^(?:declare|typeset|export)$/.test(facts.name) && facts.args[0]?.includes('p') === true)
    return facts.args.slice(1).find(isSecretVariable)
  return undefined
}

function printsWords({ name, args }: CommandFacts): boolean {
  // A one-liner does with its words what it likes.
  if (/^(?:python|node|perl|ruby|php|bun)[\d.]*$/.test(name))
    return args.some((word) => /^-[a-zA-Z]*[cepr]$/.test(word))
  return (
    PRINTERS.has(name) || (name === 'git' && /^(?:commit|tag|notes|branch|config)$/.test(readGitCall(args).subcommand))
  )
}

/** No command prints the environment, or one variable that holds a secret. */
export const environmentDumpRule: BashRule = {
  rule: 'environment-dump',
  match: [
    'env',
    'env | sort',
    'printenv',
    'sudo -E printenv',
    'set',
    'export -p',
    'declare -x',
    'compgen -e',
    'cat /proc/self/environ',
    'printenv GITHUB_TOKEN',
    'echo "$OPENAI_API_KEY"',
    'ps eww',
    'env -u A',
    'busybox env',
    `node -p process.env`,
    `node -p 'const {env} = process; env'`,
    'x=$API_KEY; echo "$x"',
    'jq -n env',
    'jq -n env.API_TOKEN',
    "envsubst <<< '$API_KEY'",
    `python3 -c 'import os; print(os.environ)'`,
  ],
  notMatch: [
    'env python3 build.py',
    'printenv PATH',
    'set -x',
    'export A=b',
    'declare -A map',
    'ps -ef',
    'ps aux | grep node',
    'test -n "$API_KEY"',
    'echo "${API_KEY:+set}"',
    'conda env list',
    'x=$API_KEY; test -n "$x"',
    "jq '.env' a.json",
    'jq -n env.HOME',
    'envsubst < a.template',
    'curl -H "Authorization: $API_KEY" http://localhost:3000',
    `node -p process.env.NODE_ENV`,
    'env -i bash -c "echo clean"',
  ],
  judge(facts) {
    const findings: Finding[] = []
    const what = dumped(facts)
    if (what !== undefined) {
      findings.push({
        rule: 'environment-dump',
        reason: `${what} prints the whole environment, which may hold keys. Ask for one variable by its name, for example printenv PATH.`,
      })
    }
    const name = revealedName(facts)
    if (name !== undefined) {
      findings.push({
        rule: 'environment-dump',
        reason: `${shown(name)} ${/^\w+$/.test(name) ? 'is' : 'comes from'} a variable that holds a secret. Leave its value to the program that needs it; to see whether it is set, use test -n.`,
      })
    }
    return findings
  },
}
