import { basename, dirname } from 'node:path'
import { absolutePath, type CommandFacts, currentFolder, knownText } from './context.js'
import { readFind } from './find-command.js'
import { sortArguments } from './arguments.js'
import { isSecretName } from '../secrets.js'
import { isUnknown, UNKNOWN } from './marks.js'

/** What a command prints, for the few whose output is told by their words and input alone. */
export function outputOf(facts: CommandFacts): string | undefined {
  const { name, args, shell } = facts
  const text = shell.stdin
  const last = args.at(-1)
  switch (name) {
    case 'echo':
      return echoed(args)
    case 'printf':
      return formatted(args)
    case 'true':
    case ':':
    case 'sleep':
    case 'mkdir':
    case 'touch':
    case 'chmod':
    case 'rm':
    case 'test':
    case '[':
      return ''
    case 'pwd':
      return `${currentFolder(shell)}\n`
    case 'cat':
    case 'tac':
      return concatenated(facts)
    case 'tee':
    case 'sort':
    case 'uniq':
    case 'head':
    case 'tail':
      return args.every((word) => word.startsWith('-') || name === 'tee') ? text : undefined
    case 'grep':
    case 'egrep':
    case 'rg':
      return soughtNames(facts)
    case 'which':
      return args.length === 1 ? `/usr/bin/${last}\n` : undefined
    case 'command':
    case 'type':
      return args.length === 2 && /^-[vpP]$/.test(args[0] ?? '') ? `/usr/bin/${last}\n` : undefined
    case 'seq':
      return counted(args)
    case 'date':
      return args.length === 1 && /^\+(?:%-?[sYymdHMSNj]|[\w.:-])+$/.test(last ?? '')
        ? `${last?.slice(1).replace(/%-?\w/g, '42')}\n`
        : undefined
    case 'rev':
      return text
        ?.split('\n')
        .map((line) => Array.from(line).reverse().join(''))
        .join('\n')
    case 'tr':
      return text === undefined ? undefined : translated(text, args)
    case 'base64':
    case 'gbase64':
      return args.some((word) => /^(?:-d|-D|--decode|-di)$/.test(word)) ? decoded(text, 'base64') : undefined
    case 'xxd':
      return args.some((word) => /^-\w*r/.test(word)) ? decoded(text?.replace(/\s+/g, ''), 'hex') : undefined
    case 'mktemp':
      return `${temporary(facts)}\n`
    case 'basename':
      return last === undefined || isUnknown(last) ? undefined : `${basename(args[0] ?? last, args[1])}\n`
    case 'dirname':
      return last === undefined || isUnknown(last) ? undefined : `${dirname(last)}\n`
    case 'realpath':
    case 'readlink':
      return last === undefined ? undefined : `${absolutePath(last, shell) ?? UNKNOWN}\n`
    case 'find':
      return readFind(args)
        .found.map((path) => `${path}\n`)
        .join('')
    case 'git':
      return gitOutput(facts)
    case 'npm':
    case 'yarn':
    case 'pnpm':
      return args[0] === 'bin' && args.length === 1 ? `${currentFolder(shell)}/node_modules/.bin\n` : undefined
    default:
      return hookOutput(facts)
  }
}

/** Tools of the person that print settings for the shell to `eval`: nothing of the workspace's is in them. */
const SHELL_HOOK =
  /^(?:(?:direnv|starship|zoxide|pyenv|rbenv|nodenv|goenv|jenv) (?:hook|init)|fnm env|opam env|opam config env|ssh-agent -[sc]|brew shellenv|(?:mise|rtx) activate|conda shell\.\w+ hook|dircolors|luarocks path|perl -I\S*local\S* -Mlocal::lib|minikube docker-env)\b/

function hookOutput({ argv, shell }: CommandFacts): string | undefined {
  if (!SHELL_HOOK.test(argv.join(' '))) return undefined
  shell.state.tainted = true
  return ''
}

function echoed(args: readonly string[]): string {
  const first = args.findIndex((word) => !/^-[neE]+$/.test(word))
  const flags = args.slice(0, first === -1 ? args.length : first).join('')
  const text = first === -1 ? '' : args.slice(first).join(' ')
  return (flags.includes('e') ? unescaped(text) : text) + (flags.includes('n') ? '' : '\n')
}

/** `\n`, `\x41`, `\101` as `printf` and `echo -e` read them. */
function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|0?([0-7]{1,3})|([abefnrtv\\"']))/gi,
    (whole, hex, unicode, octal, letter) => {
      if (hex !== undefined || unicode !== undefined) return String.fromCharCode(Number.parseInt(hex ?? unicode, 16))
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
      return { n: '\n', t: '\t', r: '\r', '\\': '\\', '"': '"', "'": "'" }[letter as string] ?? whole
    },
  )
}

function formatted(args: readonly string[]): string {
  const [format = '', ...given] = args[0] === '--' ? args.slice(1) : args
  const values = [...given]
  let output = ''
  do {
    output += unescaped(format).replace(/%(-?\d*(?:\.\d+)?)([sbqdic%])/g, (_, __, kind: string) => {
      if (kind === '%') return '%'
      const value = values.shift() ?? ''
      return kind === 'b' ? unescaped(value) : value
    })
  } while (values.length > 0 && /%-?\d*(?:\.\d+)?[sbqdic]/.test(format))
  return output
}

function concatenated({ args, shell }: CommandFacts): string | undefined {
  const files = args.filter((word) => !word.startsWith('-') || word === '-')
  if (files.length === 0) return shell.stdin
  const texts = files.map((word) => knownText(word, shell))
  return texts.includes(undefined) ? undefined : texts.join('')
}

function decoded(text: string | undefined, encoding: 'base64' | 'hex'): string | undefined {
  return text === undefined || isUnknown(text) ? undefined : Buffer.from(text, encoding).toString('utf8')
}

/** `tr a b` for single characters and the two ranges that hide a text best. */
function translated(text: string, args: readonly string[]): string | undefined {
  if (args[0] === '-d')
    return Array.from(text)
      .filter((char) => !args[1]?.includes(char))
      .join('')
  const from = ranged(args[0] ?? '')
  const to = ranged(args[1] ?? '')
  if (from === undefined || to === undefined || from.length !== to.length) return undefined
  return Array.from(text)
    .map((char) => to[from.lastIndexOf(char)] ?? char)
    .join('')
}

function ranged(set: string): string | undefined {
  if (set.includes('[:')) return undefined
  return set.replace(/(.)-(.)/g, (_, low: string, high: string) => {
    let chars = ''
    for (let code = low.charCodeAt(0); code <= high.charCodeAt(0) && chars.length < 256; code++)
      chars += String.fromCharCode(code)
    return chars
  })
}

function temporary({ args, shell }: CommandFacts): string {
  const folder = shell.run.world.tempDirs[0] ?? '/tmp'
  const place = args.findIndex((word) => word === '-p')
  const given =
    args.find((word) => word.startsWith('--tmpdir='))?.slice(9) ?? (place === -1 ? undefined : args[place + 1])
  const template = args.find((word, index) => word.includes('XXX') && index !== place + 1)
  if (template !== undefined && given === undefined && !args.includes('-t')) return template.replace(/X{3,}/, 'made')
  return `${given ?? folder}/tmp.made`
}

function gitOutput({ args }: CommandFacts): string | undefined {
  const words = args.join(' ')
  if (words === 'rev-parse --git-dir' || words === 'rev-parse --git-common-dir') return '.git\n'
  if (words.startsWith('rev-parse --git-path ')) return `.git/${args[2] ?? ''}\n`
  if (words === 'rev-parse --absolute-git-dir') return `${UNKNOWN}/.git\n`
  return undefined
}

/** A list searched for a secret file's name (`ls -a | grep '^\\.env$' | xargs cat`) comes to that name. */
function soughtNames({ args, shell }: CommandFacts): string | undefined {
  const { operands } = sortArguments(args, '-e -m -A -B -C')
  if (operands.length !== 1 || !(shell.stdin === undefined || isUnknown(shell.stdin))) return undefined
  const name = (operands[0] ?? '').replace(/^\^|\$$|\\/g, '')
  return name.startsWith('.') && isSecretName(name) ? `${name}\n` : undefined
}

/** `seq 3`, `seq 2 4`. */
function counted(args: readonly string[]): string | undefined {
  const [first = 1, last = first] = args.length === 1 ? [1, Number(args[0])] : args.map(Number)
  if (args.length > 2 || !Number.isInteger(first) || !Number.isInteger(last) || last - first > 64) return undefined
  let text = ''
  for (let at = first; at <= last; at++) text += `${at}\n`
  return text
}
