import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Is ripgrep on the path? The agent library's own search needs it, and nothing is downloaded. */
export function hasRipgrep(path: string | undefined): boolean {
  return (path ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, 'rg'), constants.X_OK)
      return folder !== ''
    } catch {
      return false
    }
  })
}
