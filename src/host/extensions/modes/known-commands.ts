import { sedReach } from './sed-script.js'

/** Does a command with these arguments stay within what its table is for? */
type Check = (args: readonly string[]) => boolean

const always: Check = () => true
/**
 * None of the arguments is, or begins with, one of these; a short one is found inside a bundle of short ones too, a long
 * one however far it is abbreviated.
 */
const without =
  (...flags: readonly string[]): Check =>
  (args) =>
    !args.some((arg) => flags.some((flag) => (flag.length === 2 ? hasShort(arg, flag) : hasLong(arg, flag))))
const hasLong = (arg: string, flag: string): boolean =>
  arg.startsWith(flag) || (/^--[^=]/.test(arg) && flag.startsWith(arg.split('=', 1)[0]!))
const hasShort = (arg: string, flag: string): boolean =>
  arg.startsWith('-') && !arg.startsWith('--') && arg.includes(flag.slice(1))
const firstIs =
  (...words: readonly string[]): Check =>
  (args) =>
    words.includes(args[0] ?? '')

const onlyOf =
  (...flags: readonly string[]): Check =>
  (args) =>
    args.every((arg) => flags.includes(arg))

/** Only listing: an argument that isn't a flag would make a new one. */
const flagsOnly: Check = (args) => args.every((arg) => arg.startsWith('-'))

const GIT_READS: Readonly<Record<string, Check>> = nameless({
  status: always,
  log: without('--output'),
  diff: without('--output', '--ext-diff', '--no-index'),
  show: without('--output', '--ext-diff'),
  blame: without('--output'),
  describe: always,
  'rev-parse': always,
  'rev-list': without('--output'),
  'ls-files': always,
  'ls-tree': always,
  'cat-file': without('--textconv', '--filters'),
  shortlog: without('--output'),
  grep: without('-O', '--open-files-in-pager'),
  'merge-base': always,
  reflog: (args) => args.length === 0 || (args[0] === 'show' && without('--output')(args)),
  branch: onlyOf('-a', '-r', '-v', '-vv', '--all', '--remotes', '--verbose', '--list', '--show-current', '--no-color'),
  tag: (args) => args.length === 0 || args[0] === '-l' || args[0] === '--list',
  remote: (args) => args.length === 0 || (args.length === 1 && args[0] === '-v'),
  stash: (args) => firstIs('list', 'show')(args) && without('--output')(args),
  config: (args) => args[0] === '--get' || args[0] === '--list' || args[0] === '-l',
})

/** Commands that only read, whatever they are given, or while they are given no more than is checked. */
const READ_ONLY: Readonly<Record<string, Check>> = nameless({
  ...Object.fromEntries(
    'ls cat head tail wc pwd echo grep egrep fgrep which type stat du df whoami id uname hostname basename dirname realpath readlink uniq cut tr comm diff cmp nl tac rev column fold tree true false seq cd jq md5sum sha1sum sha256sum cksum od hexdump xxd strings expr nproc arch uptime : sleep'
      .split(' ')
      .map((name) => [name, always] as const),
  ),
  // Wrappers: what they run is a command of its own beside them.
  command: always,
  timeout: always,
  nice: always,
  stdbuf: always,
  xargs: without('-a', '--arg-file'),
  // Into a variable, with an index that is worked out: both make more of it than printing.
  printf: ([first = '']) => first === '--' || !first.startsWith('-'),
  test: namesPlainly,
  '[': namesPlainly,
  time: without('-o', '--output'),
  file: without('-C', '--compile'),
  date: without('-s', '--set'),
  find: without('-exec', '-execdir', '-ok', '-okdir', '-delete', '-fprint', '-fprint0', '-fprintf', '-fls'),
  sort: without('-o', '--output', '--compress-program'),
  uniq: (args) => args.filter((arg) => !arg.startsWith('-')).length < 2,
  rg: without('--pre', '--hostname-bin', '-z', '--search-zip'),
  tree: without('-o', '--output'),
  xxd: (args) => args.filter((arg) => !arg.startsWith('-')).length < 2 && without('-r')(args),
  hostname: flagsOnly,
  sed: (args) => sedReach(args) === 'reads',
  git: ([sub = '', ...rest]) => GIT_READS[sub]?.(rest) ?? false,
  node: onlyVersion,
  npm: (args) => onlyVersion(args) || firstIs('ls', 'list', 'root', 'prefix')(args),
  python: onlyVersion,
  python3: onlyVersion,
  go: ([first = '', ...rest]) => first === 'version' || (first === 'env' && !rest.some((arg) => arg.startsWith('-'))),
  cargo: onlyVersion,
  tsc: onlyVersion,
  make: onlyVersion,
})

/** Plain work on files. Where they may lie is the guard's business, which every call passes. */
const FILE_WORK: Readonly<Record<string, Check>> = nameless({
  mkdir: always,
  touch: always,
  cp: always,
  mv: always,
  rm: always,
  rmdir: always,
  sed: (args) => sedReach(args) !== undefined,
})

/** Building, testing, formatting and committing: they run the project's own code, and nothing is sent anywhere. */
const LOW_RISK: Readonly<Record<string, Check>> = nameless({
  npm: firstIs('test', 't', 'run', 'run-script'),
  pnpm: firstIs('test', 't', 'run'),
  yarn: firstIs('test', 'run', 'build', 'lint'),
  node: firstIs('--test', '--check'),
  tsc: always,
  eslint: always,
  oxlint: always,
  prettier: always,
  jest: always,
  vitest: always,
  pytest: always,
  ruff: always,
  black: always,
  mypy: always,
  make: flagsAndWords,
  cargo: firstIs('build', 'test', 'check', 'clippy', 'fmt', 'doc', 'bench'),
  go: firstIs('build', 'test', 'vet', 'fmt', 'list'),
  gofmt: always,
  rustfmt: always,
  mvn: firstIs('test', 'compile', 'package', 'verify'),
  gradle: firstIs('test', 'build', 'check'),
  python: ([flag, module]) => flag === '-m' && ['pytest', 'unittest', 'mypy'].includes(module ?? ''),
  python3: ([flag, module]) => flag === '-m' && ['pytest', 'unittest', 'mypy'].includes(module ?? ''),
  git: firstIs('add', 'commit', 'stash', 'switch', 'mv', 'restore', 'init'),
})

function onlyVersion(args: readonly string[]): boolean {
  return args.length === 1 && /^(--version|-v|-V)$/.test(args[0] ?? '')
}

/** A make target, not a variable that could name a shell. */
function flagsAndWords(args: readonly string[]): boolean {
  return args.every((arg) => !arg.includes('=') && !arg.startsWith('-f') && !arg.startsWith('--file'))
}

/** Asks whether a variable is set by its bare name: an index in it would be worked out, commands within it run. */
function namesPlainly(args: readonly string[]): boolean {
  return args.every((arg, at) => !/^-[vR]$/.test(arg) || /^\w*\]?$/.test(args[at + 1] ?? ''))
}

/** A table that answers for its own names only: `constructor` is no command. */
function nameless(table: Record<string, Check>): Readonly<Record<string, Check>> {
  return Object.assign(Object.create(null) as Record<string, Check>, table)
}

const known =
  (table: Readonly<Record<string, Check>>) =>
  ([name = '', ...args]: readonly string[]): boolean =>
    table[name]?.(args) ?? false

/** Is this command, by a reviewed table, one that only reads? */
export const isReadOnly = known(READ_ONLY)
/** Is this command plain work on files? */
export const isFileWork = known(FILE_WORK)
/** Is this command building, testing or committing? */
export const isLowRisk = known(LOW_RISK)
