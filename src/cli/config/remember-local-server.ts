import { EnsoError, type EnsoLocalServer } from '../../core/index.js'
import type { EnsoHome } from '../../system/home.js'
import { changeSetting } from './document.js'

/**
 * Writes down that a person agreed to a model server of this machine.
 * @throws EnsoError `bad-config`, `disk`
 */
export function rememberLocalServer(home: Pick<EnsoHome, 'configFile'>, server: EnsoLocalServer): void {
  const refused = changeSetting(home.configFile, 'localServer', server)
  if (refused !== undefined) throw new EnsoError('bad-config', refused.reason)
}
