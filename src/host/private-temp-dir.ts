import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let made: string | undefined

/**
 * This process's own temporary folder, 0700, gone when the process ends. The agent library writes the whole output of
 * long commands into the temporary folder, readable by everybody: from now on that is this one.
 */
export function privateTempDir(): string {
  if (made !== undefined) return made
  const dir = mkdtempSync(join(tmpdir(), 'enso-'))
  process.env['TMPDIR'] = dir
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }))
  made = dir
  return dir
}
