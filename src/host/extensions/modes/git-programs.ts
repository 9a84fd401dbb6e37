import { existsSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { nestedRepositories } from './git-index.js'

/** Settings whose program git runs also where it only looks: `status` asks a monitor and filters, `diff` and `log` convert. */
const RUNS =
  /^(?:core\.(?:fsmonitor|alternaterefscommand)|diff\.external|diff\..+\.(?:textconv|command)|filter\..+\.(?:clean|process)|gpg\.(?:.+\.)?program|include(?:if\..+)?\.path)$/

/** Where parts of the history are elsewhere, looking at them fetches them, with these. */
const PROMISED = /^(?:extensions\.partialclone|remote\..+\.promisor)$/
const FETCHES =
  /^(?:core\.(?:sshcommand|gitproxy)|remote\..+\.(?:uploadpack|vcs)|protocol\.(?:.+\.)?allow|credential\.(?:.+\.)?helper)$/

/** Values that run nothing of the repository's. */
const HARMLESS = /^(?:true|false|yes|no|on|off|1|0|git[- ]lfs\b.*)?$/i

/** No repository's settings are longer; what is can't be looked through and counts as running something. */
const MAX_CONFIG_BYTES = 1024 * 1024

/** The hook that git runs also where it only looks: `status` writes down what it saw. */
const LOOKING_HOOK = 'post-index-change'

/** No deeper than this are repositories looked for in repositories. */
const MAX_NESTING = 8

/**
 * The setting or hook by which the repository around a folder makes git run a program of its choice, even where git only looks;
 * `undefined` where there is none. A clone brings none along, but an unpacked archive does. `status` and `diff` also look
 * into the repositories inside, by those repositories' own settings.
 */
export function repositoryProgram(folder: string, depth = 0): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const git = gitFolder(at)
    if (git !== undefined) return programOf(git, at) ?? nestedProgram(git, at, depth)
    if (at === dirname(at)) return undefined
  }
}

function programOf(git: string, folder: string): string | undefined {
  let hooks = join(git, 'hooks')
  for (const file of [join(git, 'config'), join(git, 'config.worktree')]) {
    const settings = settingsIn(file)
    if (settings === undefined) return `settings in ${file}`
    const setting = programIn(settings)
    if (setting !== undefined) return `setting ${setting}`
    const place = settings.get('core.hookspath')
    if (place !== undefined) hooks = resolve(folder, place.replace(/^~(?=\/|$)/, homedir()))
  }
  const hook = statSync(join(hooks, LOOKING_HOOK), { throwIfNoEntry: false })
  return hook !== undefined && (hook.mode & 0o111) !== 0 ? `hook ${LOOKING_HOOK}` : undefined
}

function nestedProgram(git: string, folder: string, depth: number): string | undefined {
  const nested = nestedRepositories(join(git, 'index'))
  if (nested === undefined || (nested.length > 0 && depth >= MAX_NESTING))
    return 'index, which can’t be looked through,'
  for (const path of nested) {
    const inner = join(folder, path)
    if (gitFolder(inner) === undefined) continue
    const program = repositoryProgram(inner, depth + 1)
    if (program !== undefined) return program
  }
  return undefined
}

function gitFolder(folder: string): string | undefined {
  const place = join(folder, '.git')
  const stat = statSync(place, { throwIfNoEntry: false })
  if (stat?.isDirectory() === true) return place
  if (stat?.isFile() === true) {
    const target =
      stat.size > MAX_CONFIG_BYTES ? undefined : /^gitdir:\s*(.+?)\s*$/m.exec(readFileSync(place, 'utf8'))?.[1]
    if (target !== undefined) return commonFolder(resolve(folder, target))
  }
  return existsSync(join(folder, 'HEAD')) && existsSync(join(folder, 'objects')) ? folder : undefined
}

/** A further work tree keeps its settings with the first one's. */
function commonFolder(git: string): string {
  const file = join(git, 'commondir')
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true
    ? resolve(git, readFileSync(file, 'utf8').trim())
    : git
}

/** A file's settings by their names; none where there is no file, `undefined` where it is none to be looked through. */
function settingsIn(file: string): ReadonlyMap<string, string> | undefined {
  const settings = new Map<string, string>()
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return settings
  if (!stat.isFile() || stat.size > MAX_CONFIG_BYTES) return undefined
  let section = ''
  for (const line of readFileSync(file, 'utf8').replaceAll('\\\n', '').split('\n')) {
    const heading = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/.exec(line)
    if (heading !== null) section = heading[2] === undefined ? (heading[1] ?? '') : `${heading[1]}.${heading[2]}`
    const [, key, value = ''] =
      /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(heading === null ? line : (heading[3] ?? '')) ?? []
    if (key === undefined) continue
    const name = `${section}.${key}`.toLowerCase()
    const text = value.replace(/^"|"\s*$|\s+[#;].*$/g, '').trim()
    // Of several the first that runs something: which one git takes differs.
    if (!settings.has(name) || HARMLESS.test(settings.get(name) ?? '')) settings.set(name, text)
  }
  return settings
}

function programIn(settings: ReadonlyMap<string, string>): string | undefined {
  const names = [...settings.keys()]
  const fetches = names.some((name) => PROMISED.test(name))
  return names.find(
    (name) => (RUNS.test(name) || (fetches && FETCHES.test(name))) && !HARMLESS.test(settings.get(name) ?? ''),
  )
}
