import { EnsoError, EnsoUserConfig, shapeReason } from '../../core/index.js'
import type { CliIo } from '../io.js'
import { SETTINGS, type Setting, withValueAt } from './settings.js'

/** What the environment says of a setting; a variable that is empty says nothing. */
export function environmentValue({ env: name }: Setting, env: CliIo['env']): string | undefined {
  return name === undefined ? undefined : env[name] || undefined
}

/**
 * The person's configuration with what the environment says before it.
 * @throws EnsoError `bad-config` naming the variable whose value does not exist
 */
export function withEnvironment(config: EnsoUserConfig, env: CliIo['env']): EnsoUserConfig {
  let all: Record<string, unknown> = config
  for (const setting of SETTINGS) {
    const text = environmentValue(setting, env)
    if (text === undefined) continue
    const value = typeof setting.standard === 'number' && /^\d+$/.test(text) ? Number(text) : text
    const reason = shapeReason(EnsoUserConfig, withValueAt({}, setting.key, value))
    if (reason !== undefined) {
      throw new EnsoError('bad-config', `${setting.env}=${text}: ${reason}`, {
        hint: `unset ${setting.env}, or correct it`,
      })
    }
    all = withValueAt(all, setting.key, value)
  }
  return all
}
