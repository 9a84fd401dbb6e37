import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SettingsManager } from '@mariozechner/pi-coding-agent'
import { EnsoError } from '../../core/index.js'

type SettingsStorage = Parameters<typeof SettingsManager.fromStorage>[0]

/** Settings that would install or run something, or load code we have not chosen. */
const NEVER_READ: readonly string[] = ['packages', 'npmCommand', 'extensions', 'skills', 'prompts', 'themes']

function readSettings(file: string): Record<string, unknown> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new EnsoError('bad-config', `the settings can't be read: ${file}`, { cause: error })
  }
  try {
    const settings: unknown = JSON.parse(text)
    if (typeof settings === 'object' && settings !== null && !Array.isArray(settings)) return { ...settings }
  } catch (cause) {
    throw new EnsoError('bad-config', `the settings are no JSON: ${file}`, { cause })
  }
  throw new EnsoError('bad-config', `the settings are no JSON object: ${file}`)
}

function safeSettings(file: string): Record<string, unknown> {
  const settings = readSettings(file)
  for (const key of NEVER_READ) delete settings[key]
  const retry = typeof settings['retry'] === 'object' && settings['retry'] !== null ? settings['retry'] : {}
  const provider = 'provider' in retry && typeof retry.provider === 'object' ? retry.provider : {}
  // The provider's own client would retry twice beneath every retry that is shown.
  settings['retry'] = { ...retry, provider: { ...provider, maxRetries: 0 } }
  settings['enableInstallTelemetry'] = false
  return settings
}

/**
 * The person's settings, read once from the agent directory. A project's settings are never read (they can name
 * commands that run at once), nor are the person's packages and extension lists; what the library writes stays in
 * memory, so that a choice for one thread changes no default.
 * @throws EnsoError `bad-config` when the file is there and can't be read
 */
export function createSettingsStorage(agentDir: string): SettingsStorage {
  let global = JSON.stringify(safeSettings(join(agentDir, 'settings.json')))
  return {
    withLock(scope, update) {
      if (scope === 'project') {
        update(undefined)
        return
      }
      const next = update(global)
      if (next !== undefined) global = next
    },
  }
}
