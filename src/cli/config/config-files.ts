import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  ENSO_CONFIG_EXAMPLE,
  ENSO_CONFIG_FILENAME,
  type EnsoConfig,
  EnsoError,
  type EnsoUserConfig,
  parseEnsoConfig,
  parseEnsoUserConfig,
} from '../../core/index.js'
import { readOrdinaryFile } from '../../system/read-ordinary.js'

/** No configuration is larger. */
const CONFIG_MAX_BYTES = 1024 * 1024

/** The workspace's configuration as it was found. */
export interface WorkspaceConfig {
  /** Absolute. */
  readonly file: string
  readonly config: EnsoConfig
}

/** The text of a file, or nothing when there is none. Any other failure is not "none". */
function readIfThere(file: string): string | undefined {
  try {
    return readOrdinaryFile(file, CONFIG_MAX_BYTES)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new EnsoError('bad-config', `${file} can't be read: ${(error as Error).message}`, { cause: error })
  }
}

/**
 * The person's configuration; empty when there is no file.
 * @throws EnsoError `bad-config`, naming the file and the place, when it can't be read
 */
export function readUserConfig(file: string): EnsoUserConfig {
  const text = readIfThere(file)
  if (text === undefined) return {}
  const parsed = parseEnsoUserConfig(text)
  if (parsed.kind === 'ok') return parsed.config
  throw new EnsoError('bad-config', `${file}: ${parsed.reason}`, { hint: 'correct the file, or move it away' })
}

/** The folders a workspace's configuration may stand in: from `cwd` up to its repository's root, or `cwd` alone. */
function candidates(cwd: string): readonly string[] {
  const folders: string[] = []
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(folder)
    if (existsSync(join(folder, '.git'))) return folders
    if (dirname(folder) === folder) return [cwd]
  }
}

/**
 * The workspace's configuration nearest to `cwd`, which is absolute; nothing where none is committed.
 * @throws EnsoError `bad-config` when the nearest one can't be read: what it grants is unknown, so nothing starts
 */
export function findWorkspaceConfig(cwd: string): WorkspaceConfig | undefined {
  for (const folder of candidates(cwd)) {
    const file = join(folder, ENSO_CONFIG_FILENAME)
    const text = readIfThere(file)
    if (text === undefined) continue
    const parsed = parseEnsoConfig(text)
    if (parsed.kind === 'ok') return { file, config: parsed.config }
    throw new EnsoError('bad-config', `${file}: ${parsed.reason}`, {
      hint: `it looks like this: ${ENSO_CONFIG_EXAMPLE}`,
    })
  }
  return undefined
}
