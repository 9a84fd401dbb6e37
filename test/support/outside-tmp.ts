import { accessSync, constants, mkdtempSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.js'

/**
 * A new folder that is not below the temporary folder, which the guards let be written: for what stands for a person's
 * home. Wherever the checkout itself lies.
 */
export function folderOutsideTmp(name: string): string {
  for (const folder of ['/dev/shm', '/var/tmp', root]) {
    try {
      accessSync(folder, constants.W_OK)
      return realpathSync(mkdtempSync(join(folder, `${name}-`)))
    } catch {
      // The next one.
    }
  }
  throw new Error('there is no folder outside the temporary folder that can be written')
}
