import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ENSO_CONFIG_FILENAME, ensoLogger, type EnsoConfig } from '../core/index.js'
import { isPlainHostname } from '../core/web-fetch.js'
import { writePrivateFile } from '../system/private-files.js'
import type { ThreadPartsContext } from './thread-parts.js'

const log = ensoLogger('host', 'workspace-config')

/** At most this many configurations are remembered; the oldest are said again. */
const REMEMBERED = 500

/**
 * Says, once for each content, which hosts a workspace's configuration lets the agent read: it came with the
 * repository, and a person should know what it grants. A list with an entry that is no plain host name grants nothing,
 * and that is said each time.
 */
export function sayGrantedHosts(
  config: EnsoConfig | undefined,
  ensoRoot: string,
  thread: Pick<ThreadPartsContext, 'notify'>,
): void {
  const hosts = config?.webFetch.allowedHosts ?? []
  if (hosts.length === 0) return
  const odd = hosts.find((host) => !isPlainHostname(host))
  if (odd !== undefined) {
    return thread.notify(
      `${ENSO_CONFIG_FILENAME} of this workspace lists '${odd}', which is no plain host name: no page is read until it is corrected`,
      'warning',
    )
  }
  const file = join(ensoRoot, 'granted-hosts.json')
  const mark = createHash('sha256').update(JSON.stringify(hosts.toSorted())).digest('hex').slice(0, 32)
  const known = knownMarks(file)
  if (known.includes(mark)) return
  thread.notify(`${ENSO_CONFIG_FILENAME} of this workspace lets the agent read pages of ${hosts.join(', ')}`)
  try {
    writePrivateFile(file, JSON.stringify([...known, mark].slice(-REMEMBERED)))
  } catch (error) {
    // Then it is said again next time.
    log.warn('granted hosts could not be remembered: {error}', { error: String(error) })
  }
}

function knownMarks(file: string): string[] {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return Array.isArray(value) ? value.filter((mark) => typeof mark === 'string') : []
  } catch {
    // Missing or damaged: nothing is known, so it is said.
    return []
  }
}
