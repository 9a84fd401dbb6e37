import type { Followed } from './builtins.js'
import { judgeCode } from './code.js'
import type { Language } from './code-language.js'
import { type CommandFacts, knownText } from './context.js'
import { isStream } from './streams.js'
import { assign, forkShell } from './state.js'

const SHELLS = new Set(['bash', 'sh', 'dash', 'zsh', 'ksh', 'ksh93', 'mksh', 'ash', 'fish', 'rbash', 'pwsh'])

interface Interpreter {
  readonly language: Language
  /** Options whose value is code; a letter may stand at the end of a cluster (`-ne`). */
  readonly code: RegExp
  /** Options that take a value which is no code. */
  readonly valued?: RegExp
  /** A first word that means code follows (`deno eval`). */
  readonly evaluates?: string
}

const INTERPRETERS: readonly (readonly [RegExp, Interpreter])[] = [
  [/^(?:python|pypy)[\d.]*$/, { language: 'python', code: /^-[a-zA-Z]*c$/, valued: /^-(?:W|X|m)$/ }],
  [
    /^(?:node|nodejs|bun|tsx|ts-node)$/,
    {
      language: 'javascript',
      code: /^(?:-[a-z]*[ep]|-pe|--eval|--print|--execute)$/,
      valued: /^(?:-r|--require|--import|--loader|-C|--conditions)$/,
    },
  ],
  [/^deno$/, { language: 'javascript', code: /^(?!)/, evaluates: 'eval' }],
  [/^perl[\d.]*$/, { language: 'perl', code: /^-[a-zA-Z0-9]*[eE]$/, valued: /^-[IMm]$/ }],
  [/^ruby[\d.]*$/, { language: 'ruby', code: /^-[a-zA-Z]*e$/, valued: /^-[rIE]$/ }],
  [/^php[\d.]*$/, { language: 'php', code: /^-(?:r|B|R|E)$/, valued: /^-[dcf]$/ }],
  [/^(?:lua|luajit)[\d.]*$/, { language: 'other', code: /^-e$/ }],
  [
    /^(?:rscript|r|julia|elixir|scala|groovy|guile|osascript|tclsh|expect|raku|ghc)$/,
    { language: 'other', code: /^-(?:e|c|E|-eval)$/ },
  ],
  [/^emacs$/, { language: 'other', code: /^-?-(?:eval|execute)$/ }],
]

/** Judges what an interpreter is given to run. `undefined` where this is no interpreter or it only runs a file. */
export function runInterpreter(facts: CommandFacts): Followed | undefined {
  const { name, args, shell } = facts
  if (SHELLS.has(name)) return runShell(facts)
  if (/^[gmn]?awk$/.test(name)) {
    const program = args.find((word, index) => !word.startsWith('-') && !/^-[vFf]$/.test(args[index - 1] ?? ''))
    if (program !== undefined && !args.some((word) => word.startsWith('-f'))) judgeCode(program, 'awk', shell)
    return undefined
  }
  if (name === 'sed' || name === 'gsed') {
    judgeSed(facts)
    return undefined
  }
  const known = INTERPRETERS.find(([pattern]) => pattern.test(name))?.[1]
  if (known !== undefined) runLanguage(known, facts)
  return undefined
}

/** The text of `-c`, of the file this command wrote, or of the input. */
function runShell({ args, shell }: CommandFacts): Followed | undefined {
  let takesText = false
  let readsInput = false
  let at = 0
  for (; at < args.length; at++) {
    const word = args[at] as string
    if (word === '--') {
      at++
      break
    }
    if (!/^[-+]./.test(word)) break
    if (/^--(?:rcfile|init-file)$/.test(word) || /^[-+][a-zA-Z]*[oO]$/.test(word)) at++
    if (!word.startsWith('--')) {
      takesText ||= word.includes('c')
      readsInput ||= word.includes('s')
    }
  }
  const [first, ...rest] = args.slice(at)
  const inner = forkShell(shell.state)
  if (takesText) {
    if (rest[0] !== undefined) assign(inner, '0', { texts: [rest[0]] })
    return first === undefined ? undefined : { output: shell.runText(first, { ...inner, positional: rest.slice(1) }) }
  }
  if (first === undefined || first === '-' || readsInput) {
    const positional = readsInput ? args.slice(at) : rest
    shell.run.unfollowed ||= shell.stdin === undefined
    return shell.stdin === undefined ? undefined : { output: shell.runText(shell.stdin, { ...inner, positional }, '') }
  }
  const text = knownText(first, shell)
  shell.run.unfollowed ||= text === undefined && isStream(first)
  return text === undefined ? undefined : { output: shell.runText(text, { ...inner, positional: rest }) }
}

function runLanguage({ language, code, valued, evaluates }: Interpreter, facts: CommandFacts): void {
  const { args, shell } = facts
  if (evaluates !== undefined && args[0] === evaluates) {
    for (const word of args.slice(1)) if (!word.startsWith('-')) judgeCode(word, language, shell)
    return
  }
  const texts: string[] = []
  const loaded: string[] = []
  let file: string | undefined
  for (let at = 0; at < args.length && file === undefined; at++) {
    const word = args[at] as string
    const joined = /^(--(?:eval|print|execute))=(.*)$/s.exec(word) ?? /^(-[cer])([^a-zA-Z-].*)$/s.exec(word)
    if (joined !== null && code.test(joined[1] ?? '')) texts.push(joined[2] ?? '')
    else if (code.test(word)) texts.push(args[++at] ?? '')
    else if (valued?.test(word) === true) {
      if (word === '-m' && language === 'python') return runModule(args.slice(at + 1), facts)
      loaded.push(args[++at] ?? '')
    } else if (/^-[Mmr]\w/.test(word)) loaded.push(word.slice(2))
    else if (!word.startsWith('-') || word === '-') file = word
  }
  // What is loaded beside the text tells what the text may use (`perl -MIO::Socket`, `ruby -rnet/http`).
  for (const text of texts) judgeCode(`${text}\n${loaded.join('\n')}`, language, shell)
  if (texts.length > 0) return
  const text = knownText(file ?? '-', shell)
  shell.run.unfollowed ||= text === undefined && isStream(file ?? '-')
  if (text !== undefined) judgeCode(text, language, shell)
}

/** `python -m pip …` is `pip …`. */
function runModule(words: readonly string[], { shell }: CommandFacts): void {
  if (words[0] === 'webbrowser') shell.runArgv(['xdg-open', ...words.slice(1)])
  else if (words.length > 0) shell.runArgv(words)
}

/** `e` runs a command, and so does the flag `e` of a substitution. */
function judgeSed({ args, shell }: CommandFacts): void {
  for (const text of args) {
    for (const match of text.matchAll(/(?:^|[;{\n]|\d|\$|\/[IM]*)\s*e\s+([^\n]+)/g)) {
      shell.runText((match[1] ?? '').replace(/[;}]\s*$/, ''), forkShell(shell.state))
    }
    const replaced = /^s(.)(?:.*?)\1(.*?)\1[gpIM\d]*e/s.exec(text)
    if (replaced !== null) shell.runText(replaced[2] ?? '', forkShell(shell.state))
  }
}
