import { runCommandValue } from './assignments.js'
import { optionValues, sortArguments } from './arguments.js'
import { runContainer } from './containers.js'
import type { CommandFacts, Shell } from './context.js'
import { isCommandSetting, readGitCall } from './git.js'
import { forkShell } from './state.js'

/** Options of ordinary programs whose value is run by a shell, by program. */
const SHELL_OPTIONS: Readonly<Record<string, string>> = {
  rsync: '-e --rsh',
  sort: '--compress-program',
  split: '--filter',
  gsplit: '--filter',
  zip: '-TT --unzip-command',
  man: '-P --pager -H --html',
  rg: '--pre --hostname-bin',
  less: '-k',
  tar: '--to-command -I --use-compress-program -F --info-script --new-volume-script --rsh-command',
  bsdtar: '--use-compress-program',
  gtar: '--to-command -I --use-compress-program -F --info-script --new-volume-script --rsh-command',
}

/** Judges what an ordinary program is told to run: an editor's `!command`, a checkpoint action, git's settings. */
export function runEmbedded(facts: CommandFacts): void {
  const { name, args, shell } = facts
  const options = Object.hasOwn(SHELL_OPTIONS, name) ? SHELL_OPTIONS[name] : undefined
  if (options !== undefined) for (const text of optionValues(sortArguments(args, options), options)) inside(text, shell)
  runHeld(facts)
  switch (name) {
    case 'tar':
    case 'gtar':
      for (const text of optionValues(sortArguments(args, '--checkpoint-action'), '--checkpoint-action')) {
        if (text.startsWith('exec=')) inside(text.slice(5), shell)
      }
      break
    case 'make':
    case 'gmake':
      for (const word of args) if (/^\.?SHELL\s*:?=/.test(word)) inside(word.slice(word.indexOf('=') + 1), shell)
      break
    case 'complete':
      for (const text of optionValues(sortArguments(args, '-C -F -A -G -W -X -P -S -o'), '-C')) inside(text, shell)
      break
    case 'bind':
      for (const text of optionValues(sortArguments(args, '-x'), '-x')) inside(text.replace(/^[^:]*:\s*/, ''), shell)
      break
    case 'git':
      runGit(args, shell)
      break
    case 'npm':
    case 'pnpm':
    case 'yarn':
      runPackageScripts(args, shell)
      break
    case 'fd':
    case 'fdfind': {
      const at = args.findIndex((word) => /^(?:-x|-X|--exec|--exec-batch)$/.test(word))
      const pattern = args.find((word) => !word.startsWith('-'))
      if (at !== -1)
        shell.runArgv(
          [...args.slice(at + 1).map((word) => word.replaceAll('{}', pattern ?? '')), pattern ?? ''],
          forkShell(shell.state),
        )
      break
    }
    case 'docker':
    case 'podman':
    case 'nerdctl':
    case 'docker-compose':
      runContainer(facts)
      break
  }
}

const inside = (text: string, shell: Shell): void => runCommandValue(text, shell)

/** Programs whose own commands can hold one for a shell, in their words or their input, and how it stands there. */
const HOLDING: readonly (readonly [RegExp, readonly RegExp[]])[] = [
  [/^(?:vim?|nvim|view|ex|ed)$/, [/(?:^|[\n:|+\s])!+\s*([^\n]+)/g, /system(?:list)?\(\s*['"](.*?)['"]\s*\)/g]],
  [/^(?:gdb|lldb)$/, [/^(?:shell|!|platform shell)\s*([^\n]+)/gm]],
  [/^(?:sqlite3?|psql|mysql|mariadb)$/, [/(?:^|\n|;)\s*(?:\.(?:shell|system)|\\!|system)\s+([^\n]+)/g]],
  [/^g?make$/, [/\$\(shell\s+([^)]+)\)/g, /!=\s*([^\n]+)/g, /^\t([^\n]+)/gm]],
]

function runHeld({ name, args, shell }: CommandFacts): void {
  for (const [programs, patterns] of HOLDING) {
    if (!programs.test(name)) continue
    for (const text of [...args, shell.stdin ?? '']) {
      for (const match of patterns.flatMap((pattern) => [...text.matchAll(pattern)])) inside(match[1] ?? '', shell)
    }
  }
}

function runGit(args: readonly string[], shell: Shell): void {
  const call = readGitCall(args)
  const { subcommand } = call
  const settings = [...call.settings]
  if (subcommand === 'clone') {
    const given = sortArguments(call.args, '-c --config -b -o --depth -j --reference')
    for (const text of optionValues(given, '-c --config')) {
      const equals = text.indexOf('=')
      settings.push([text.slice(0, equals).toLowerCase(), text.slice(equals + 1)])
    }
  }
  for (const [setting, value] of settings) {
    if (!isCommandSetting(setting)) continue
    if (value.startsWith('!')) inside(value.slice(1), shell)
    else if (!setting.startsWith('alias.')) inside(value, shell)
  }
  for (const word of call.args) {
    if (word.startsWith('ext::')) inside(word.slice(5).replaceAll('% ', ' '), shell)
  }
  const texts: Readonly<Record<string, string>> = {
    rebase: '-x --exec',
    difftool: '-x --extcmd',
    fetch: '--upload-pack',
    clone: '-u --upload-pack',
    'ls-remote': '--upload-pack --exec',
    push: '--receive-pack --exec',
    grep: '-O --open-files-in-pager',
    'filter-branch':
      '--env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter --setup',
  }
  const options = Object.hasOwn(texts, subcommand) ? texts[subcommand] : undefined
  if (options !== undefined)
    for (const text of optionValues(sortArguments(call.args, options), options)) inside(text, shell)
  if (subcommand === 'bisect' && call.args[0] === 'run') shell.runArgv(call.args.slice(1), forkShell(shell.state))
  if (subcommand === 'submodule' && call.args.includes('foreach')) {
    inside(
      call.args
        .slice(call.args.indexOf('foreach') + 1)
        .filter((word) => word !== '--recursive')
        .join(' '),
      shell,
    )
  }
}

/** `npm pkg set scripts.x=command`: what a later `npm` runs. */
function runPackageScripts(args: readonly string[], shell: Shell): void {
  if (args[0] === 'pkg' && args[1] === 'set') {
    for (const word of args.slice(2)) {
      const match = /^scripts\.[\w:.-]+=(.*)$/s.exec(word)
      if (match !== null) inside((match[1] ?? '').replace(/^"(.*)"$/s, '$1'), shell)
    }
  }
  if (args[0] === 'set-script' && args[2] !== undefined) inside(args[2], shell)
}
