import { type Arguments, hasOption, optionValues, sortArguments, wordSet } from './arguments.js'
import type { CommandFacts } from './context.js'

/** What a wrapper runs: words, or a text for a shell. */
export type Inner = { readonly argv: readonly string[] } | { readonly text: string }

interface Wrapper {
  /** Options that take a value, space-separated. */
  readonly valued?: string
  /** Options that take two values, space-separated. */
  readonly pairs?: string
  /** Words of the wrapper's own before the command. */
  readonly skip?: number
  /** `NAME=value` words before the command. */
  readonly assignments?: true
  /** The words are joined and given to a shell. */
  readonly joined?: true
  /** Options whose value is a text for a shell. */
  readonly textOptions?: string
  /** Subcommands (space-separated) of which one must come first, else it runs nothing. */
  readonly subcommands?: string
  /** With one of these options it only looks. */
  readonly inert?: string
}

const plain: Wrapper = {}

const BWRAP_VALUED =
  '--args --argv0 --unsetenv --lock-file --sync-fd --remount-ro --proc --dev --tmpfs --mqueue --dir --hostname --chdir --uid --gid --userns --userns2 --pidns --exec-label --file-label --seccomp --add-seccomp-fd --block-fd --userns-block-fd --info-fd --json-status-fd --cap-add --cap-drop --perms --size'
const BWRAP_PAIRS =
  '--bind --bind-try --dev-bind --dev-bind-try --ro-bind --ro-bind-try --setenv --file --bind-data --ro-bind-data --symlink --chmod --overlay-src'

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    valued: '-u --user -g --group -h --host -p --prompt -C -r -t -T -U -D -R --chdir --chroot',
    assignments: true,
    inert: '-l --list -v -K -k',
  },
  doas: { valued: '-u -C' },
  pkexec: { valued: '--user' },
  su: { valued: '-g -G -s', skip: 99, textOptions: '-c --command --session-command' },
  runuser: { valued: '-u -g -G -s', textOptions: '-c --command' },
  nohup: plain,
  timeout: { valued: '-s --signal -k --kill-after', skip: 1 },
  gtimeout: { valued: '-s --signal -k --kill-after', skip: 1 },
  nice: { valued: '-n --adjustment' },
  ionice: { valued: '-c -n -p -P -u --class --classdata' },
  chrt: { valued: '-T -P -D', skip: 1 },
  taskset: { skip: 1 },
  numactl: { valued: '-C -N -m -i -p' },
  prlimit: { valued: '-p --pid' },
  stdbuf: { valued: '-i -o -e --input --output --error' },
  setsid: plain,
  setarch: plain,
  time: { valued: '-f --format -o --output' },
  command: { inert: '-v -V' },
  builtin: plain,
  exec: { valued: '-a' },
  coproc: plain,
  busybox: { inert: '--list --help --install' },
  toybox: { inert: '--list --help' },
  unbuffer: plain,
  rlwrap: plain,
  catchsegv: plain,
  caffeinate: { valued: '-t -w' },
  watch: { valued: '-n --interval -q --equexit', joined: true },
  script: { valued: '-o -E -m -O -B -I -T', skip: 1, textOptions: '-c --command' },
  flock: { valued: '-w --timeout -E', skip: 1, textOptions: '-c --command' },
  parallel: { valued: '-j --jobs -a -n -N -I -d --delay --joblog', joined: true },
  strace: { valued: '-o -e -p -s -u -E -O -S -a -P -b -I -X' },
  ltrace: { valued: '-o -e -p -s -u -n -a -l -x' },
  valgrind: plain,
  gdb: { valued: '-x -d -ex -iex -eval-command -p -s -e -c -core -pid', inert: '--batch-silent' },
  bwrap: { valued: BWRAP_VALUED, pairs: BWRAP_PAIRS },
  'ld.so': { valued: '--library-path --inhibit-rpath --audit --preload --argv0', inert: '--list --verify --help' },
  chroot: { valued: '--userspec --groups', skip: 1 },
  unshare: { valued: '-S -G -R -w --wd --root' },
  nsenter: { valued: '-t -S -G --target' },
  fakeroot: { valued: '-l -s -i -b' },
  proot: { valued: '-r -b -w -R -S' },
  firejail: plain,
  faketime: { skip: 1 },
  'systemd-run': {
    valued:
      '-u --unit -p --property -E --setenv -M --uid --gid --slice --description --on-active --on-boot --on-calendar',
    inert: '--on-active --on-boot --on-startup --on-unit-active --on-unit-inactive --on-calendar --on-clock-change',
  },
  'dbus-run-session': plain,
  'xvfb-run': { valued: '-n -s -e -f -p -w' },
  'ssh-agent': { valued: '-a -t -E' },
  retry: plain,
  chronic: plain,
  torsocks: plain,
  proxychains: plain,
  proxychains4: { valued: '-f' },
  npx: { valued: '-p --package --node-options', textOptions: '-c --call' },
  bunx: plain,
  pnpx: plain,
  uvx: { valued: '--from --with -p --python' },
  npm: { subcommands: 'exec x', valued: '-p --package -w --workspace', textOptions: '-c --call' },
  pnpm: { subcommands: 'exec dlx', valued: '-C --dir --filter', textOptions: '-c --shell-mode' },
  yarn: { subcommands: 'exec dlx', valued: '-p --package' },
  bun: { subcommands: 'x' },
  uv: { subcommands: 'run', valued: '--with -p --python --project --directory --env-file --extra --group' },
  poetry: { subcommands: 'run' },
  pipenv: { subcommands: 'run' },
  pdm: { subcommands: 'run' },
  hatch: { subcommands: 'run' },
  conda: { subcommands: 'run', valued: '-n --name -p --prefix --cwd' },
  mamba: { subcommands: 'run', valued: '-n --name -p --prefix --cwd' },
  bundle: { subcommands: 'exec' },
  mise: { subcommands: 'exec x' },
  asdf: { subcommands: 'exec' },
  rbenv: { subcommands: 'exec' },
  pyenv: { subcommands: 'exec' },
  op: { subcommands: 'run', valued: '--env-file' },
  'cross-env': { assignments: true },
  'cross-env-shell': { assignments: true, joined: true },
  dotenv: { valued: '-e -f -c -o -v' },
  dotenvx: { subcommands: 'run', valued: '-f --env-file' },
  'env-cmd': { valued: '-f --file -e --environments -r' },
  'nix-shell': { valued: '-p -I -A', textOptions: '--run --command' },
  tmux: {
    subcommands: 'new new-session neww new-window splitw split-window run run-shell respawn-pane',
    valued: '-s -n -c -t -e -x -y -F',
    joined: true,
  },
  screen: { valued: '-S -t -c -h -p -s' },
  entr: { joined: true },
  nodemon: { valued: '-w --watch -e --ext -i --ignore -d --delay', textOptions: '-x --exec', inert: '--version' },
  hyperfine: { valued: '-w -r -m -M -n -N --warmup --runs --prepare --setup --export-json --export-markdown -p -s' },
}

/** Programs that take several shell texts as operands. */
const TEXT_LISTS = wordSet('hyperfine concurrently npm-run-all')

/**
 * The commands a wrapper runs, or `undefined` where this is none (or names no command, so that it runs itself: a bare
 * `env` prints the environment).
 */
export function innerOf(facts: CommandFacts): Inner[] | undefined {
  if (TEXT_LISTS.has(facts.name))
    return sortArguments(facts.args, WRAPPERS['hyperfine']?.valued).operands.map((text) => ({ text }))
  // The system's loader runs a program by its path.
  const name = /^ld(?:-linux|-musl)?[\w-]*\.so(?:\.\d+)*$/.test(facts.name) ? 'ld.so' : facts.name
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined
  return wrapper === undefined ? undefined : unwrapped(wrapper, facts)
}

function unwrapped(wrapper: Wrapper, facts: CommandFacts): Inner[] | undefined {
  let words = facts.args
  if (wrapper.subcommands !== undefined) {
    const at = words.findIndex((word) => !word.startsWith('-'))
    if (at === -1 || !wordSet(wrapper.subcommands).has(words[at] as string)) return undefined
    words = words.slice(at + 1)
  }
  const { own, rest } = splitLeading(words, wrapper)
  if (wrapper.inert !== undefined && hasOption(own, wrapper.inert)) return undefined
  const texts =
    wrapper.textOptions === undefined ? [] : optionValues(sortArguments(words, allValued(wrapper)), wrapper.textOptions)
  if (texts.length > 0) return texts.map((text) => ({ text }))
  let command = rest.slice(wrapper.skip ?? 0)
  while (wrapper.assignments === true && /^\w+=/.test(command[0] ?? '')) command = command.slice(1)
  if (command[0] === '--') command = command.slice(1)
  if (command.length === 0) return undefined
  return [wrapper.joined === true ? { text: command.join(' ') } : { argv: command }]
}

const allValued = ({ valued = '', textOptions = '' }: Wrapper): string => `${valued} ${textOptions}`

/** The wrapper's own options, and everything from its first operand on. */
function splitLeading(words: readonly string[], wrapper: Wrapper): { own: Arguments; rest: readonly string[] } {
  const valued = wordSet(allValued(wrapper))
  let at = 0
  for (; at < words.length; at++) {
    const word = words[at] as string
    if (word === '--') {
      at++
      break
    }
    if (!word.startsWith('-') || word === '-') break
    if (valued.has(word)) at++
    else if (wrapper.pairs !== undefined && wordSet(wrapper.pairs).has(word)) at += 2
  }
  return { own: sortArguments(words.slice(0, at), allValued(wrapper)), rest: words.slice(at) }
}
