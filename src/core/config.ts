import { type Static, Type } from '@sinclair/typebox'
import { closedFileFault, readClosedFile } from './closed-file.js'
import { EnsoProjectsConfig } from './project.js'
import { closed, lazyValidator } from './schema.js'
import { WebFetchConfig } from './web-fetch.js'
import { WebSearchConfig } from './web-search.js'

/** Base name of the workspace's configuration file. */
export const ENSO_CONFIG_FILENAME = 'enso.config.json'

/** What such a file looks like, for a message to whoever has to change one. */
export const ENSO_CONFIG_EXAMPLE = '{ "webFetch": { "allowedHosts": ["docs.example.com"] } }'

/**
 * The workspace's configuration. Closed at every level: an unknown key makes the whole file unreadable, and unreadable
 * grants nothing. A section added later is optional, or every file that is already committed would be unreadable.
 */
export const EnsoConfig = closed({
  webFetch: WebFetchConfig,
  webSearch: Type.Optional(WebSearchConfig),
  projects: Type.Optional(EnsoProjectsConfig),
})
export type EnsoConfig = Static<typeof EnsoConfig>

/** A configuration file read: usable, or unreadable and why. */
export type EnsoConfigParseResult = { kind: 'ok'; config: EnsoConfig } | { kind: 'unreadable'; reason: string }

const validator = lazyValidator(EnsoConfig)

/** Parses the file's text. Whatever is wrong with it, the caller must refuse what the file would have granted. */
export function parseEnsoConfig(fileText: string): EnsoConfigParseResult {
  const reading = readClosedFile(fileText, EnsoConfig, validator)
  return reading.ok ? { kind: 'ok', config: reading.value } : { kind: 'unreadable', reason: closedFileFault(reading) }
}
