/** A git command line: what comes before the subcommand, the subcommand, and its words. */
export interface GitCall {
  readonly subcommand: string
  readonly args: readonly string[]
  /** `-c name=value`, names folded as git folds them. */
  readonly settings: readonly (readonly [name: string, value: string])[]
  /** `-C`, `--git-dir`, `--work-tree`. */
  readonly folders: readonly string[]
}

/** Splits git's words (without `git` itself). */
export function readGitCall(words: readonly string[]): GitCall {
  const settings: [string, string][] = []
  const folders: string[] = []
  let at = 0
  for (; at < words.length; at++) {
    const word = words[at] as string
    if (!word.startsWith('-')) break
    if (word === '-c') settings.push(settingOf(words[++at] ?? ''))
    else if (word.startsWith('--config-env=')) settings.push(settingOf(word.slice(13)))
    else if (word === '-C' || word === '--git-dir' || word === '--work-tree') folders.push(words[++at] ?? '')
    else if (/^--(?:git-dir|work-tree)=/.test(word)) folders.push(word.slice(word.indexOf('=') + 1))
    else if (word === '--namespace' || word === '--super-prefix' || word === '--exec-path') at++
  }
  return { subcommand: words[at] ?? '', args: words.slice(at + 1), settings, folders }
}

function settingOf(text: string): [string, string] {
  const equals = text.indexOf('=')
  return equals === -1 ? [text.toLowerCase(), ''] : [text.slice(0, equals).toLowerCase(), text.slice(equals + 1)]
}

/** Settings whose value git runs as a command: as they are, or after a `!`. */
const COMMAND_SETTINGS =
  /^(?:core\.(?:fsmonitor|sshcommand|pager|editor|askpass|gitproxy)|pager\..+|alias\..+|diff\.external|(?:diff|difftool|mergetool|merge)\..+\.(?:textconv|command|cmd|driver)|filter\..+\.(?:clean|smudge|process)|credential\.(?:.+\.)?helper|gpg\.(?:.+\.)?program|sequence\.editor|interactive\.difffilter|submodule\..+\.update|uploadpack\.packobjectshook|sendemail\..+|browser\..+\.cmd|man\..+\.cmd|trailer\..+\.(?:command|cmd)|gc\.recentobjectshook|remote\..+\.(?:uploadpack|receivepack|vcs))$/

/** Settings that steer which code git runs or where it sends data, without being a command. */
const STEERING_SETTINGS =
  /^(?:core\.(?:hookspath|worktree|attributesfile)|init\.templatedir|include(?:if\..+)?\.path|url\..+\.(?:push)?insteadof|https?\.(?:.+\.)?proxy|protocol\..*allow)$/

/** Is the value of this setting a command that git runs? */
export const isCommandSetting = (name: string): boolean => COMMAND_SETTINGS.test(name)

/** Does this setting decide what git runs later, or where it connects? */
export const isSteeringSetting = (name: string): boolean => STEERING_SETTINGS.test(name) || isCommandSetting(name)

/** Would this setting, for one command, run other hooks or read other settings? */
export const isDetour = (name: string): boolean =>
  /^(?:core\.hookspath|init\.templatedir|include(?:if\..+)?\.path)$/.test(name)

/** A `git config` that sets something, or `undefined` where it reads. */
export function configWrite(
  call: GitCall,
): { readonly name: string; readonly value: string; readonly scope: string } | undefined {
  if (call.subcommand !== 'config') return undefined
  const words = call.args.filter((word) => !word.startsWith('-'))
  const flags = call.args.filter((word) => word.startsWith('-'))
  if (flags.some((flag) => /^(?:--get.*|--list|-l|--show-.*|--edit|-e|--name-only)$/.test(flag))) return undefined
  if (words[0] === 'get' || words[0] === 'list') return undefined
  const named = words[0] === 'set' || words[0] === 'unset' ? words.slice(1) : words
  const changes = words[0] === 'unset' || flags.some((flag) => /^--(?:unset|remove-section|rename-section)/.test(flag))
  if (named.length < 2 && !changes) return undefined
  const file = flags.find((flag) => flag.startsWith('--file='))
  const scope = flags.includes('--global')
    ? 'global'
    : flags.includes('--system')
      ? 'system'
      : file === undefined
        ? 'local'
        : 'file'
  return { name: (named[0] ?? '').toLowerCase(), value: named[1] ?? '', scope }
}
