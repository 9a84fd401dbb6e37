import { readFile } from 'node:fs/promises'
import { EnsoError, type EnsoScript, parseScript } from '../core/index.js'

/** Reads a script file. @throws EnsoError `bad-input`, naming the file and the place of what is wrong in it */
export async function readScript(path: string): Promise<EnsoScript> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new EnsoError('bad-input', `the script ${path} cannot be read`, { cause })
  })
  const parsed = parseScript(text)
  if (!parsed.ok) throw new EnsoError('bad-input', `the script ${path} is refused: ${parsed.reason}`)
  return parsed.script
}
