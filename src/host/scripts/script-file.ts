import { accessSync, constants } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { EnsoError, type EnsoScript, parseScript } from '../../core/index.js'
import { mkdirPrivate, writePrivateFile } from '../../system/private-files.js'

/** Reads a script file. @throws EnsoError `bad-input`, naming the file and the place of what is wrong in it */
export async function readScript(path: string): Promise<EnsoScript> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new EnsoError('bad-input', `the script ${path} cannot be read`, { cause })
  })
  const parsed = parseScript(text)
  if (!parsed.ok) throw new EnsoError('bad-input', `the script ${path} is refused: ${parsed.reason}`)
  return parsed.script
}

/**
 * What replaces a file by a script, readable by its owner only.
 * @throws EnsoError `bad-input` when there is no way to write there
 */
export function writeScript(path: string): (script: EnsoScript) => void {
  try {
    mkdirPrivate(dirname(path))
    accessSync(dirname(path), constants.W_OK)
  } catch (cause) {
    throw new EnsoError('bad-input', `a recording cannot be written to ${path}`, { cause })
  }
  return (script) => writePrivateFile(path, `${JSON.stringify(script, undefined, 2)}\n`)
}
