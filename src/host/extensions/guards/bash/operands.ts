import { optionValues, sortArguments, wordSet } from './arguments.js'
import type { CommandFacts } from './context.js'
import { readFind } from './find-command.js'
import { readGitCall } from './git.js'
import { withGlobs } from './marks.js'

/** A word a command may open. `listed`: it only looks at names and metadata, which a secret file may show. */
export interface Operand {
  readonly word: string
  readonly listed: boolean
}

/** Commands whose words are text, names or conditions and never files to read. */
const TEXT_ONLY = wordSet(
  'echo printf : true false kill killall pkill pgrep sleep seq expr date test [ which type hash command alias unalias export declare typeset local readonly unset set shift trap return exit break continue let umask ulimit wait jobs bg fg times getopts read cd pushd popd dirs basename dirname printenv env uname whoami id hostname tty stty man info help apropos whatis tldr gh glab yes nproc bc factor say notify-send',
)

/** Commands that show names and metadata, not contents. */
const LISTING = wordSet(
  'ls dir vdir exa eza lsd stat file du df tree realpath readlink chmod chown chgrp find gfind fd fdfind locate namei getfacl lsattr test mkdir rmdir',
)

/** Does a program of this name only look at names and metadata, or at none at all? */
export const isListing = (name: string): boolean => LISTING.has(name) || TEXT_ONLY.has(name)

/** Options whose value is a file that is read, of commands that else look at names. */
const LIST_OPTIONS: Readonly<Record<string, string>> = {
  date: '-f --file',
  file: '-f --files-from',
  du: '--files0-from -X --exclude-from',
}

/** Commands whose first operand is a pattern or a program unless an option gave it. */
const PATTERN_FIRST: Readonly<Record<string, RegExp>> = {
  grep: /^(?:-\w*[ef]|--regexp|--file)/,
  egrep: /^(?:-\w*[ef]|--regexp|--file)/,
  fgrep: /^(?:-\w*[ef]|--regexp|--file)/,
  rg: /^(?:-\w*[ef]|--regexp|--file|--files)/,
  ag: /^(?!)/,
  ack: /^(?:--match|-f)/,
  sed: /^(?:-\w*e|-f|--expression|--file)/,
  gsed: /^(?:-\w*e|-f|--expression|--file)/,
  awk: /^(?:-f|--file)/,
  gawk: /^(?:-f|--file)/,
  mawk: /^-f/,
  jq: /^(?:-f|--from-file)/,
  yq: /^(?:-f|--from-file)/,
  gojq: /^(?:-f|--from-file)/,
  fd: /^(?!)/,
  fdfind: /^(?!)/,
  tr: /^(?!)/,
}

/** Options whose value is a text or a pattern, for any command. */
const TEXT_OPTION =
  /^--(?:exclude\S*|ignore\S*|include\S*|message|title|body|grep|author|regexp|expression|iglob|glob|name|filter|pattern|testNamePattern|grep-pattern|format|pretty|jq|template|description|label|reason|subject|trailer|since|until|branch|skip)$/i
const TEXT_LETTERS: Readonly<Record<string, RegExp>> = {
  git: /^-(?:m|S|G|L)$/,
  rg: /^-(?:g|e|t|T|r)$/,
  grep: /^-(?:e|m|A|B|C)$/,
  sed: /^-e$/,
  gsed: /^-e$/,
  jest: /^-t$/,
  vitest: /^-t$/,
  mocha: /^-g$/,
  pytest: /^-[km]$/,
  zip: /^-(?:x|i)$/,
  tree: /^-[IP]$/,
  fd: /^-[Ee]$/,
  jq: /^--(?:arg|argjson)$/,
  docker: /^-(?:e|l)$/,
}

/** What of git looks at names only. */
const GIT_LISTING = wordSet(
  'check-ignore check-attr ls-files status update-index rm ls-tree whatchanged shortlog describe branch tag remote config rev-parse symbolic-ref sparse-checkout',
)

/** The words of a command that are held against the list of secrets, each also in its parts (`--file=x`, `rev:x`). */
export function operandsToRead(facts: CommandFacts): Operand[] {
  const { name, args } = facts
  const lists = Object.hasOwn(LIST_OPTIONS, name)
    ? optionValues(sortArguments(args, LIST_OPTIONS[name]), LIST_OPTIONS[name] ?? '')
    : []
  if (lists.length > 0) return lists.map((word) => ({ word, listed: false }))
  if (TEXT_ONLY.has(name)) return []
  if (name === 'git') return gitOperands(facts)
  if (name === 'find' || name === 'gfind') {
    const { starts, found, deletes } = readFind(args)
    return [
      ...starts.map((word) => ({ word, listed: true })),
      ...(deletes ? found.map((word) => ({ word, listed: false })) : []),
    ]
  }
  if (/^(?:g?sed|vim?|nvim|view|ex|ed)$/.test(name)) {
    const read = filesReadByProgram([...args, facts.shell.stdin ?? ''])
    return [...readWords(name, args).flatMap(partsOf), ...read].map((word) => ({ word, listed: false }))
  }
  const listed = LISTING.has(name)
  return readWords(name, args).flatMap((word) => partsOf(word).map((part) => ({ word: part, listed })))
}

/** `r file` in a sed program, `:r file` and `:e file` in an editor's commands. */
function filesReadByProgram(texts: readonly string[]): string[] {
  return texts.flatMap((text) =>
    [
      ...text.matchAll(/(?:^|[\n|:+;{\d$])\s*(?:r(?:ead)?|e(?:dit)?|sp(?:lit)?|vs(?:plit)?|tabe\w*)!?\s+([^\s|!;}]+)/g),
    ].map((match) => match[1] ?? ''),
  )
}

/** A command's words without patterns, programs and the values of text options. */
function readWords(name: string, args: readonly string[]): string[] {
  const given = Object.hasOwn(PATTERN_FIRST, name) ? PATTERN_FIRST[name] : undefined
  let skipsPattern = given !== undefined && !args.some((word) => given.test(word))
  const letters = Object.hasOwn(TEXT_LETTERS, name) ? TEXT_LETTERS[name] : undefined
  const words: string[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as string
    if (word.startsWith('-') && word.length > 1) {
      const equals = word.indexOf('=')
      if (TEXT_OPTION.test(equals === -1 ? word : word.slice(0, equals)) || letters?.test(word) === true) {
        const value = equals === -1 ? (args[++at] ?? '') : word.slice(equals + 1)
        // A pattern that lets files in names what is read.
        if (/^(?:--include|--i?glob|-g)(?:=|$)/.test(word) && !value.startsWith('!')) words.push(withGlobs(value))
      } else words.push(word)
    } else if (skipsPattern) skipsPattern = false
    else words.push(word)
  }
  return words
}

/** The ways a word can name a file: whole, after `=`, `:` or `@`, and glued to a letter (`-f.env`). */
function partsOf(word: string): string[] {
  const parts = [word]
  if (word.startsWith('-')) {
    parts.pop()
    const glued = /^-[A-Za-z]([./~].*)$/.exec(word)
    if (glued !== null) parts.push(glued[1] ?? '')
  }
  if (/[=:@,]/.test(word) && !word.includes(' ')) parts.push(...word.split(/[=:@,]/))
  if (/^file:\/\//i.test(word)) parts.push(word.slice(7))
  return parts.filter(Boolean)
}

function gitOperands({ args }: CommandFacts): Operand[] {
  const { subcommand, args: words, folders } = readGitCall(args)
  const names = new Set(words)
  const prints = names.has('-p') || names.has('--patch') || words.some((word) => /^-[SGL]/.test(word))
  const namesOnly = ['--name-only', '--name-status', '--stat', '--quiet', '-q', '--shortstat', '--numstat'].some(
    (flag) => names.has(flag),
  )
  const listed =
    GIT_LISTING.has(subcommand) ||
    (subcommand === 'log' && !prints) ||
    (/^(?:diff|show)$/.test(subcommand) && namesOnly && !prints)
  if (subcommand === 'grep')
    return readWords('grep', words).flatMap((word) => partsOf(word).map((part) => ({ word: part, listed: false })))
  if (subcommand === 'stash' && words[0] === 'show')
    return readWords('git', words).map((word) => ({ word, listed: false }))
  if (/^(?:commit|tag|notes|branch|switch|merge|stash|config|bisect|remote|worktree)$/.test(subcommand)) {
    const files = words.flatMap((word, index) =>
      (subcommand === 'config' ? /^(?:-f|--file)$/ : /^(?:-F|--file|--pathspec-from-file)$/).test(
        words[index - 1] ?? '',
      )
        ? [word]
        : (/^(?:-F|--file=)(.+)/.exec(word)?.slice(1) ?? []),
    )
    return files.map((word) => ({ word, listed: false }))
  }
  return [...readWords('git', words), ...folders].flatMap((word) =>
    partsOf(word).map((part) => ({ word: part, listed })),
  )
}
