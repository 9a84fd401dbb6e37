import { type Static, Type } from '@sinclair/typebox'
import { readClosedFile } from './closed-file.js'
import { EnsoProjectsConfig } from './project.js'
import { closed, lazyValidator } from './schema.js'

const rules = Type.Optional(Type.Array(Type.String({ minLength: 1 })))

/** Permission rules, as text: what is allowed, asked about or denied without a question. */
export const EnsoPermissionRules = closed({ allow: rules, ask: rules, deny: rules })
export type EnsoPermissionRules = Static<typeof EnsoPermissionRules>

/** The parts of the guards' policy that a person may set. Absent means the default. */
export const EnsoUserGuard = closed({
  /** Seconds a shell command may run that names no bound itself. */
  defaultBashTimeoutSeconds: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  /** Folders besides the workspace that may be written: absolute or `~/`. */
  writeRoots: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
})
export type EnsoUserGuard = Static<typeof EnsoUserGuard>

/** The person's own configuration, `config.json` under `ENSO_HOME`. Closed; every key optional. */
export const EnsoUserConfig = closed({
  /** `provider/id`, or with `:thinking`. */
  defaultModel: Type.Optional(Type.String({ minLength: 1 })),
  defaultThinking: Type.Optional(Type.String({ minLength: 1 })),
  defaultMode: Type.Optional(Type.String({ minLength: 1 })),
  permissions: Type.Optional(EnsoPermissionRules),
  sandbox: Type.Optional(Type.Union([Type.Literal('off'), Type.Literal('auto'), Type.Literal('require')])),
  guard: Type.Optional(EnsoUserGuard),
  projects: Type.Optional(EnsoProjectsConfig),
  logs: Type.Optional(
    closed({
      /** Days a log file is kept; 0 keeps them for ever. */
      retentionDays: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  ),
  /** A file of standing answers, as for `--answers`: absolute or `~/`. */
  answers: Type.Optional(Type.String({ minLength: 1 })),
  color: Type.Optional(Type.Union([Type.Literal('auto'), Type.Literal('always'), Type.Literal('never')])),
})
export type EnsoUserConfig = Static<typeof EnsoUserConfig>

/** The person's configuration read: usable, or unreadable and why. */
export type EnsoUserConfigParseResult = { kind: 'ok'; config: EnsoUserConfig } | { kind: 'unreadable'; reason: string }

const validator = lazyValidator(EnsoUserConfig)

/** Parses the file's text. Unreadable is a usage fault for the caller, never an empty configuration. */
export function parseEnsoUserConfig(text: string): EnsoUserConfigParseResult {
  const reading = readClosedFile(text, EnsoUserConfig, validator)
  return reading.ok ? { kind: 'ok', config: reading.value } : { kind: 'unreadable', reason: reading.reason }
}
