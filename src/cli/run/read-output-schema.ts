import { readFile } from 'node:fs/promises'
import { EnsoError } from '../../core/index.js'

/** Reads the file of `--output-schema`. @throws EnsoError `bad-input`, naming the file as it was typed */
export async function readOutputSchema(file: string, shown: string): Promise<unknown> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (cause) {
    throw new EnsoError('bad-input', `the output schema ${shown} can't be read`, { cause })
  }
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new EnsoError('bad-input', `the output schema ${shown} is not JSON: ${(cause as Error).message}`, { cause })
  }
}
