import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Settings whose program git runs also where it only looks: `status` asks a monitor and filters, `diff` and `log` convert. */
const RUNS =
  /^(?:core\.(?:fsmonitor|alternaterefscommand)|diff\.external|diff\..+\.(?:textconv|command)|filter\..+\.(?:clean|process)|gpg\.(?:.+\.)?program|include(?:if\..+)?\.path)$/

/** Values that run nothing of the repository's. */
const HARMLESS = /^(?:true|false|yes|no|on|off|1|0|git[- ]lfs\b.*)?$/i

/** No repository's settings are longer; what is can't be looked through and counts as running something. */
const MAX_CONFIG_BYTES = 1024 * 1024

/**
 * The setting by which the repository around a folder makes git run a program of its choice, even where git only looks;
 * `undefined` where there is none. A clone brings no settings along, but an unpacked archive does.
 */
export function repositoryProgram(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const git = gitFolder(at)
    if (git !== undefined) return [join(git, 'config'), join(git, 'config.worktree')].map(programIn).find(Boolean)
    if (at === dirname(at)) return undefined
  }
}

function gitFolder(folder: string): string | undefined {
  const place = join(folder, '.git')
  const stat = statSync(place, { throwIfNoEntry: false })
  if (stat?.isDirectory() === true) return place
  if (stat?.isFile() === true) {
    const target = /^gitdir:\s*(.+?)\s*$/m.exec(readFileSync(place, 'utf8'))?.[1]
    if (target !== undefined) return commonFolder(resolve(folder, target))
  }
  return existsSync(join(folder, 'HEAD')) && existsSync(join(folder, 'objects')) ? folder : undefined
}

/** A further work tree keeps its settings with the first one's. */
function commonFolder(git: string): string {
  const file = join(git, 'commondir')
  return existsSync(file) ? resolve(git, readFileSync(file, 'utf8').trim()) : git
}

function programIn(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return undefined
  if (!stat.isFile() || stat.size > MAX_CONFIG_BYTES) return file
  let section = ''
  for (const line of readFileSync(file, 'utf8').replaceAll('\\\n', '').split('\n')) {
    const heading = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/.exec(line)
    if (heading !== null) section = heading[2] === undefined ? (heading[1] ?? '') : `${heading[1]}.${heading[2]}`
    const [, key, value = ''] =
      /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(heading === null ? line : (heading[3] ?? '')) ?? []
    const name = `${section}.${key}`.toLowerCase()
    if (key !== undefined && RUNS.test(name) && !HARMLESS.test(value.replace(/^"|"\s*$|\s+[#;].*$/g, '').trim()))
      return name
  }
  return undefined
}
