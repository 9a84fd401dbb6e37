import { type Arguments, hasOption, optionValues, sortArguments } from './arguments.js'
import type { CommandFacts } from './context.js'
import { readFind } from './find-command.js'
import { readGitCall } from './git.js'

type Writer = (args: readonly string[]) => readonly string[]

const operands =
  (valued = ''): Writer =>
  (args) =>
    sortArguments(args, valued).operands

/** The last operand, or the folder of `-t`; with one operand the current folder, which needs no word. */
function destination(valued: string): Writer {
  return (args) => {
    const sorted = sortArguments(args, `-t --target-directory -S --suffix ${valued}`)
    const folder = optionValues(sorted, '-t --target-directory')
    return folder.length > 0 ? folder : sorted.operands.length > 1 ? sorted.operands.slice(-1) : []
  }
}

const options =
  (names: string, valued = ''): Writer =>
  (args) =>
    optionValues(sortArguments(args, `${names} ${valued}`), names)

const both =
  (...writers: readonly Writer[]): Writer =>
  (args) =>
    writers.flatMap((writer) => writer(args))

/** Files edited in place: the operands after the program, when the option for it is there. */
function inPlace(flag: RegExp, valued: string, program: RegExp): Writer {
  return (args) => {
    if (!args.some((word) => flag.test(word))) return []
    const { operands: words } = sortArguments(
      args.filter((word) => !flag.test(word)),
      valued,
    )
    const given = args.some((word) => program.test(word))
    return given ? words : words.slice(1)
  }
}

/** `tar`: where it unpacks to, or the archive it makes. */
const tarWrites: Writer = (args) => {
  const [first = ''] = args
  const bundled = /^[a-zA-Z]+$/.test(first) ? [`-${first}`, ...args.slice(1)] : args
  const sorted = sortArguments(
    bundled,
    '-f --file -C --directory -X --exclude --exclude-from -T --files-from --transform -b -I',
  )
  const unpacks = hasOption(sorted, '-x --extract --get')
  const folders = optionValues(sorted, '-C --directory --one-top-level')
  if (unpacks && hasOption(sorted, '-P --absolute-names')) return ['/']
  if (unpacks) return folders.length > 0 ? folders : ['.']
  return hasOption(sorted, '-c -r -u --create --append --update') ? optionValues(sorted, '-f --file') : []
}

const unzipWrites: Writer = (args) => {
  const sorted = sortArguments(args, '-d -x -P')
  if (hasOption(sorted, '-l -p -t -v -Z')) return []
  const folders = optionValues(sorted, '-d')
  return folders.length > 0 ? folders : ['.']
}

const zipWrites: Writer = (args) => sortArguments(args, '-x -i -b -t -n').operands.slice(0, 1)

const linkWrites: Writer = (args) => {
  const sorted = sortArguments(args, '-t --target-directory -S --suffix')
  // A hard link is the file itself: what is written through it later is the target.
  const targets = hasOption(sorted, '-s --symbolic') ? [] : sorted.operands.slice(0, 1)
  return [...targets, ...destination('')(args)]
}

const moveWrites: Writer = (args) => {
  const sorted = sortArguments(args, '-t --target-directory -S --suffix')
  return [...sorted.operands, ...optionValues(sorted, '-t --target-directory')]
}

const lastPath: Writer = (args) => args.slice(-1).filter((word) => /^(?:\/|~|\.\.)/.test(word))

const ddWrites: Writer = (args) => args.flatMap((word) => (word.startsWith('of=') ? [word.slice(3)] : []))

/** Names of programs, and what each writes. */
const WRITERS: Readonly<Record<string, Writer>> = {
  touch: operands('-d -r -t --date --reference'),
  mkdir: operands('-m --mode -Z'),
  rmdir: operands(),
  rm: operands(),
  unlink: operands(),
  shred: operands('-n -s --iterations --size'),
  truncate: operands('-s --size -r --reference'),
  fallocate: operands('-l -o --length --offset'),
  chmod: (args) =>
    sortArguments(
      args.filter((word) => !/^-[rwxXst]+$/.test(word)),
      '--reference',
    ).operands.slice(args.some((word) => word.startsWith('--reference')) ? 0 : 1),
  chown: (args) => sortArguments(args, '--reference --from').operands.slice(1),
  chgrp: (args) => sortArguments(args, '--reference').operands.slice(1),
  chattr: (args) => args.filter((word) => !/^[-+=]/.test(word)),
  setfacl: (args) => sortArguments(args, '-m -x -M -X -b').operands,
  mktemp: both(options('-p --tmpdir'), operands('-p --tmpdir --suffix')),
  mkfifo: operands('-m'),
  mknod: (args) => sortArguments(args, '-m').operands.slice(0, 1),
  tee: operands(),
  sponge: operands(),
  cp: destination(''),
  mv: moveWrites,
  ln: linkWrites,
  install: (args) =>
    hasOption(sortArguments(args, '-m -o -g -t'), '-d --directory')
      ? sortArguments(args, '-m -o -g').operands
      : destination('-m --mode -o --owner -g --group')(args),
  rsync: destination('-e --rsh --exclude --include --filter -f --files-from --log-file --backup-dir'),
  dd: ddWrites,
  sed: inPlace(/^(?:-[nErsz]*i.*|--in-place.*)$/, '-e -f --expression --file', /^(?:-\w*[ef]$|--expression|--file)/),
  gsed: inPlace(/^(?:-[nErsz]*i.*|--in-place.*)$/, '-e -f --expression --file', /^(?:-\w*[ef]$|--expression|--file)/),
  perl: inPlace(/^-[0a-zA-Z]*i/, '-e -E -I -M -m', /^-[a-zA-Z0-9]*[eE]$/),
  ruby: inPlace(/^-[a-z]*i/, '-e -r -I', /^-[a-z]*e$/),
  awk: (args) => (args.join(' ').includes('inplace') ? sortArguments(args, '-i -v -F -f').operands.slice(1) : []),
  gawk: (args) => (args.join(' ').includes('inplace') ? sortArguments(args, '-i -v -F -f').operands.slice(1) : []),
  tar: tarWrites,
  gtar: tarWrites,
  bsdtar: tarWrites,
  unzip: unzipWrites,
  '7z': (args) => args.flatMap((word) => (/^-o./.test(word) ? [word.slice(2)] : [])),
  zip: zipWrites,
  cpio: options('-D --directory'),
  gzip: (args) =>
    hasOption(sortArguments(args), '-c -l -t --stdout --list --test') ? [] : sortArguments(args, '-S').operands,
  gunzip: (args) => (hasOption(sortArguments(args), '-c -l -t') ? [] : sortArguments(args, '-S').operands),
  bzip2: (args) => (hasOption(sortArguments(args), '-c -t') ? [] : sortArguments(args).operands),
  xz: (args) => (hasOption(sortArguments(args), '-c -t -l') ? [] : sortArguments(args).operands),
  zstd: (args) =>
    hasOption(sortArguments(args, '-o'), '-c -t -l -o')
      ? optionValues(sortArguments(args, '-o'), '-o')
      : sortArguments(args).operands,
  patch: both(options('-o --output -d --directory', '-i --input -p --strip -D'), (args) =>
    sortArguments(args, '-i --input -p --strip -o --output -d --directory -D').operands.slice(0, 1),
  ),
  split: (args) => sortArguments(args, '-b -l -n -a -C --filter --additional-suffix').operands.slice(1),
  csplit: options('-f --prefix'),
  sort: options('-o --output', '-k -t -S -T'),
  uniq: (args) => sortArguments(args, '-f -s -w').operands.slice(1),
  ffmpeg: (args) => lastPath(args),
  convert: (args) => lastPath(args),
  magick: (args) => lastPath(args),
  curl: options('-o --output -D --dump-header -c --cookie-jar --output-dir --trace --stderr --libcurl'),
  wget: options('-O --output-document -P --directory-prefix -o --output-file -a --append-output'),
  ed: operands('-p'),
  ex: operands('-c -s -u'),
  patchelf: operands('--set-rpath --set-interpreter'),
  openssl: options('-out -keyout'),
  'ssh-keygen': options('-f', '-t -b -C -N -P'),
  script: operands('-c --command -o -O -I'),
  xclip: options('-o'),
  mount: (args) => sortArguments(args, '-o -t').operands.slice(-1),
  losetup: (args) => sortArguments(args, '-o -P').operands.slice(0, 1),
  sqlite3: (args) =>
    args.flatMap((word) =>
      [...word.matchAll(/\.(?:output|once|backup|save|dump)\s+(\S+)/g)].map((match) => match[1] ?? ''),
    ),
  make: options('-C --directory', '-f -j -l -o -W'),
  cmake: options('-B --install --prefix', '-S -G'),
  npm: options('--prefix --cache --userconfig --globalconfig', '-w'),
  pip: options('-t --target --prefix --root -d --dest', '-r -c -i -f'),
  pip3: options('-t --target --prefix --root -d --dest', '-r -c -i -f'),
  virtualenv: operands('-p --python'),
  venv: operands('--prompt'),
  cargo: (args) =>
    /^(?:new|init)$/.test(args[0] ?? '') ? sortArguments(args.slice(1), '--name --edition --vcs').operands : [],
  crontab: () => [],
}

/** Options that name an output for most programs; their value counts where it is plainly a path outside. */
const OUTPUT_OPTION =
  /^(?:-o|--out|--output|--outfile|--out-file|--outdir|--out-dir|--output-file|--output-dir|--output-directory|--outputFile|--dest|--destination|--target-dir|--log-file|--logfile|--save|--export|--report|--save-to)$/i
/** Programs of which `-o` is something else. */
const OTHER_O =
  /^(?:grep|egrep|fgrep|rg|ag|ack|ps|ssh|find|set|bash|sh|zsh|mount|ls|test|useradd|usermod|lsof|netstat|nm|od|pgrep|kubectl|docker|helm|gcloud|az|column|stat)$/

/** The words naming what a command writes, changes or removes. Redirections are not among them. */
export function writtenWords(facts: CommandFacts): readonly string[] {
  const { name, args, shell } = facts
  if (name === 'find' || name === 'gfind') {
    const { deletes, found, written } = readFind(args)
    return [...written, ...(deletes ? found : [])]
  }
  if (name === 'git') return gitWrites(args)
  const writer = Object.hasOwn(WRITERS, name) ? WRITERS[name] : undefined
  const words = writer === undefined ? [] : [...writer(args)]
  if (name === 'sed' || name === 'gsed') words.push(...sedWrites(args))
  if (rewrites(name, args)) words.push(...args.filter((word) => !word.startsWith('-')))
  if (/^(?:vim?|nvim|view|ex|ed)$/.test(name)) words.push(...editorWrites([...args, shell.stdin ?? '']))
  if (!OTHER_O.test(name)) words.push(...outputValues(args))
  return words
}

/** Formatters that change the files they are given, by the option that makes them. */
const REWRITING: Readonly<Record<string, RegExp>> = {
  prettier: /^(?:--write|-w)$/,
  eslint: /^--fix$/,
  stylelint: /^--fix$/,
  biome: /^(?:--write|--apply)$/,
  black: /^(?!--(?:check|diff|version|help))/,
  isort: /^(?!--(?:check|diff|version|help))/,
  ruff: /^(?:format|--fix)$/,
  gofmt: /^-w$/,
  goimports: /^-w$/,
  shfmt: /^-w$/,
  rustfmt: /^(?!--check)/,
  'clang-format': /^-i$/,
  autopep8: /^(?:-i|--in-place)$/,
  yapf: /^(?:-i|--in-place)$/,
  dos2unix: /./,
  unix2dos: /./,
}

function rewrites(name: string, args: readonly string[]): boolean {
  const flag = Object.hasOwn(REWRITING, name) ? REWRITING[name] : undefined
  return flag !== undefined && args.some((word) => flag.test(word))
}

/** `:w file` in an editor's commands. */
function editorWrites(texts: readonly string[]): string[] {
  return texts.flatMap((text) =>
    [...text.matchAll(/(?:^|[\n|:+])\s*(?:w(?:rite)?|saveas|wq)!?\s+([^\s|!]+)/g)].map((match) => match[1] ?? ''),
  )
}

/** `w file` in a sed program. */
function sedWrites(args: readonly string[]): string[] {
  return args.flatMap((text) =>
    [...text.matchAll(/(?:^|[;{\n]|\d|\$|\/[gpI\d]*)\s*w\s+([~/.][^\n;}]*)/g)].map((match) => match[1] ?? ''),
  )
}

function outputValues(args: readonly string[]): string[] {
  return args.flatMap((word, index) => {
    const glued = /^-o((?:\/|~|\.\.).+)$/.exec(word)
    if (glued !== null) return [glued[1] ?? '']
    const equals = word.indexOf('=')
    const option = equals === -1 ? word : word.slice(0, equals)
    if (!OUTPUT_OPTION.test(option)) return []
    const value = equals === -1 ? (args[index + 1] ?? '') : word.slice(equals + 1)
    return /^(?:\/|~|\.\.|\.)/.test(value) ? [value] : []
  })
}

/** Subcommands of git that change files below the folder they are pointed at. */
const GIT_CHANGES =
  /^(?:add|am|apply|bisect|branch|checkout|cherry-pick|clean|commit|fetch|gc|init|merge|mv|pull|rebase|reset|restore|revert|rm|stash|submodule|switch|tag|update-index|update-ref|worktree)$/

function gitWrites(args: readonly string[]): string[] {
  const { subcommand, args: words, folders } = readGitCall(args)
  const sorted: Arguments = sortArguments(
    words,
    '-b -B -o --output -O --output-directory --separate-git-dir --template -m -F --depth --branch --origin -c --config --reference -j --jobs',
  )
  const written = GIT_CHANGES.test(subcommand) ? [...folders] : []
  written.push(...optionValues(sorted, '--output --output-directory --separate-git-dir'))
  if (/^(?:archive|format-patch|bundle)$/.test(subcommand)) written.push(...optionValues(sorted, '-o'))
  if (subcommand === 'bundle' && words[0] === 'create') written.push(sorted.operands[1] ?? '')
  if (subcommand === 'worktree' && words[0] === 'add') written.push(sorted.operands[1] ?? '')
  if (subcommand === 'worktree' && words[0] === 'move') written.push(sorted.operands[2] ?? '')
  if (subcommand === 'clone') written.push(sorted.operands[1] ?? '')
  if (subcommand === 'init') written.push(...sorted.operands)
  if (subcommand === 'submodule' && words.includes('add')) written.push('.gitmodules')
  if (subcommand === 'config') written.push(...configFile(words))
  if (subcommand === 'mv' || subcommand === 'rm') written.push(...sorted.operands)
  return written.filter((word) => word !== '' && !(subcommand === 'rm' && words.includes('--cached')))
}

/** The file of `git config --file`, where it is set and not read. */
function configFile(words: readonly string[]): string[] {
  if (words.some((word) => /^--(?:get|list)|^-l$/.test(word))) return []
  return words.flatMap((word, index) =>
    /^(?:-f|--file)$/.test(words[index - 1] ?? '') ? [word] : word.startsWith('--file=') ? [word.slice(7)] : [],
  )
}
