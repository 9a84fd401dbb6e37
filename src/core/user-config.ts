import { type Static, Type } from '@sinclair/typebox'
import { closedFileFault, readClosedFile } from './closed-file.js'
import { EnsoLocalServer } from './local-server.js'
import { ENSO_PERMISSION_MODES, ENSO_THINKING_LEVELS } from './mode-names.js'
import { EnsoProjectsConfig } from './project.js'
import { closed, lazyValidator } from './schema.js'

/** A rule's form. A text that is none would guard nothing, so that a file with one in it is no configuration. */
const rule = Type.String({
  pattern: '^\\s*[A-Za-z_][\\w-]*(?:\\([\\s\\S]+\\))?\\s*$',
  description: 'a rule: tool or tool(pattern)',
})
const rules = Type.Optional(Type.Array(rule))

function oneOf<const T extends string>(words: readonly T[]) {
  return Type.Union(words.map((word) => Type.Literal(word)))
}

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
  /** Where an editor finds the schema of this file; says nothing to enso. */
  $schema: Type.Optional(Type.String()),
  /** `provider/id`, or with `:thinking`. */
  defaultModel: Type.Optional(Type.String({ minLength: 1 })),
  defaultThinking: Type.Optional(oneOf(ENSO_THINKING_LEVELS)),
  defaultMode: Type.Optional(oneOf(ENSO_PERMISSION_MODES)),
  permissions: Type.Optional(EnsoPermissionRules),
  /** A model server of this machine that the person agreed to use where no other model is chosen or has credentials. */
  localServer: Type.Optional(EnsoLocalServer),
  sandbox: Type.Optional(oneOf(['off', 'auto', 'require'])),
  guard: Type.Optional(EnsoUserGuard),
  projects: Type.Optional(EnsoProjectsConfig),
  logs: Type.Optional(
    closed({
      /** What the log file holds, in the form of `ENSO_LOG_LEVEL`: `info`, or `info,host=debug`. */
      level: Type.Optional(Type.String({ minLength: 1 })),
      /** Days a log file is kept; 0 keeps them for ever. */
      retentionDays: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  ),
  /** A file of standing answers, as for `--answers`: absolute or `~/`. */
  answers: Type.Optional(Type.String({ minLength: 1 })),
  color: Type.Optional(oneOf(['auto', 'always', 'never'])),
})
export type EnsoUserConfig = Static<typeof EnsoUserConfig>

/** The person's configuration read: usable, or unreadable and why. */
export type EnsoUserConfigParseResult = { kind: 'ok'; config: EnsoUserConfig } | { kind: 'unreadable'; reason: string }

const validator = lazyValidator(EnsoUserConfig)

/** Parses the file's text. Unreadable is a usage fault for the caller, never an empty configuration. */
export function parseEnsoUserConfig(text: string): EnsoUserConfigParseResult {
  const reading = readClosedFile(text, EnsoUserConfig, validator)
  return reading.ok ? { kind: 'ok', config: reading.value } : { kind: 'unreadable', reason: closedFileFault(reading) }
}
