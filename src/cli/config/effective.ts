import { type Static, Type } from '@sinclair/typebox'
import type { EnsoUserConfig } from '../../core/index.js'
import { closed } from '../../core/schema.js'
import { isPlainHostname } from '../../core/web-fetch.js'
import type { CommandLine } from '../args/flag.js'
import type { CliIo } from '../io.js'
import type { WorkspaceConfig } from './config-files.js'
import { environmentValue } from './environment.js'
import { SETTINGS, type Setting, valueAt } from './settings.js'

/** One value that is in force, and who said it. */
export const EnsoEffectiveSetting = closed({
  key: Type.String(),
  /** Absent where it is no one value; `otherwise` then says what holds. */
  value: Type.Optional(Type.Unknown()),
  otherwise: Type.Optional(Type.String()),
  source: Type.Union(['default', 'person', 'workspace', 'environment', 'flag'].map((name) => Type.Literal(name))),
  /** The file, the variable or the flag that decided; several where each adds to a list; none for a default. */
  from: Type.Array(Type.String()),
})
export type EnsoEffectiveSetting = Static<typeof EnsoEffectiveSetting>

/** What `enso config --json` says. */
export const EnsoConfigReport = closed({
  settings: Type.Array(EnsoEffectiveSetting),
  /** What a file says and what is not counted, with the reason. */
  notCounted: Type.Array(closed({ key: Type.String(), from: Type.String(), why: Type.String() })),
  files: closed({
    person: Type.String(),
    /** Absent where none is committed. */
    workspace: Type.Optional(Type.String()),
  }),
})
export type EnsoConfigReport = Static<typeof EnsoConfigReport>

/** Everywhere a setting may be said. */
export interface Sources {
  readonly person: EnsoUserConfig
  readonly personFile: string
  readonly workspace: WorkspaceConfig | undefined
  readonly env: CliIo['env']
  readonly line: CommandLine
}

/** What a workspace's file may say, and what holds where it doesn't. */
const OF_WORKSPACE: readonly Pick<Setting, 'key' | 'standard' | 'otherwise'>[] = [
  { key: 'webFetch.allowedHosts', standard: [] },
  { key: 'webSearch.backend', otherwise: "the model's own search" },
  { key: 'webSearch.tavily.includeDomains', standard: [] },
  { key: 'webSearch.tavily.excludeDomains', standard: [] },
]

/** Every setting as it is in force: flags before the environment, before the person's file, before the defaults. */
export function configReport(sources: Sources): EnsoConfigReport {
  const { personFile, workspace } = sources
  return {
    settings: [
      ...SETTINGS.map((setting) => inForce(setting, sources)),
      ...OF_WORKSPACE.map((one) => granted(one, workspace)),
    ],
    notCounted: workspace === undefined ? [] : notCountedOf(workspace),
    files: { person: personFile, ...(workspace === undefined ? {} : { workspace: workspace.file }) },
  }
}

function notCountedOf({ file, config }: WorkspaceConfig): EnsoConfigReport['notCounted'] {
  const odd = config.webFetch.allowedHosts.find((host) => !isPlainHostname(host))
  return [
    ...(config.projects === undefined
      ? []
      : [{ key: 'projects.roots', from: file, why: 'only your own config.json can name folders' }]),
    ...(odd === undefined
      ? []
      : [{ key: 'webFetch.allowedHosts', from: file, why: `'${odd}' is no plain host name, so no page is read` }]),
  ]
}

function inForce(setting: Setting, sources: Sources): EnsoEffectiveSetting {
  const { key, flag, adds } = setting
  const { person, personFile, env, line } = sources
  const below = belowFlags()
  if (flag === undefined || !line.has(flag)) return below
  const from = `--${flag}`
  if (adds !== true) return { key, value: line.value(flag), source: 'flag', from: [from] }
  const before = Array.isArray(below.value) ? (below.value as unknown[]) : []
  return { key, value: [...before, ...line.values(flag)], source: 'flag', from: [...below.from, from] }

  function belowFlags(): EnsoEffectiveSetting {
    const said = environmentValue(setting, env)
    if (said !== undefined) {
      const value = typeof setting.standard === 'number' ? Number(said) : said
      return { key, value, source: 'environment', from: [setting.env ?? ''] }
    }
    const own = valueAt(person, key)
    return own === undefined ? standardOf(setting) : { key, value: own, source: 'person', from: [personFile] }
  }
}

function standardOf({
  key,
  standard,
  otherwise,
}: Pick<Setting, 'key' | 'standard' | 'otherwise'>): EnsoEffectiveSetting {
  return {
    key,
    ...(standard === undefined ? {} : { value: standard }),
    ...(otherwise === undefined ? {} : { otherwise }),
    source: 'default',
    from: [],
  }
}

function granted(
  setting: Pick<Setting, 'key' | 'standard' | 'otherwise'>,
  workspace: WorkspaceConfig | undefined,
): EnsoEffectiveSetting {
  const value = valueAt(workspace?.config, setting.key)
  return value === undefined || workspace === undefined
    ? standardOf(setting)
    : { key: setting.key, value, source: 'workspace', from: [workspace.file] }
}
