import { existsSync, readFileSync } from 'node:fs'
import { EnsoError, parseEnsoUserConfig } from '../../core/index.js'
import { writePrivateFile } from '../../system/private-files.js'
import { textEditor } from '../dialogs/text-editor.js'
import { refuseUsage } from '../faults.js'
import type { CliIo } from '../io.js'
import type { CliParts } from '../parts.js'
import { writeConfig } from './document.js'

/** What an editor opens on where there is no file yet. */
const EMPTY = '{\n}\n'

/**
 * Opens the person's file in their editor and takes what comes back only if it is a configuration; else the text is
 * kept beside the file, and said. Answers the exit code.
 */
export async function editConfig(io: CliIo, { home }: CliParts): Promise<number> {
  const terminal = io.terminal()
  if (terminal === undefined) {
    return refuseUsage(io, [], { reason: 'config edit needs a terminal', hint: 'enso config set KEY VALUE needs none' })
  }
  const editor = textEditor(io.env, terminal, home.tmpDir)
  if (editor === undefined) {
    return refuseUsage(io, [], { reason: 'no editor is named', hint: 'set VISUAL or EDITOR, or use enso config set' })
  }
  const file = home.configFile
  const before = existsSync(file) ? readFileSync(file, 'utf8') : EMPTY
  const text = await editor.edit(before, new AbortController().signal)
  if (text === undefined) throw new EnsoError('bad-input', `${editor.name} ended with a fault: nothing was changed`)
  if (text === before) {
    io.stderr.write('nothing was changed\n')
    return 0
  }
  const parsed = parseEnsoUserConfig(text)
  if (parsed.kind === 'unreadable') {
    const kept = `${file}.rejected`
    writePrivateFile(kept, text)
    throw new EnsoError('bad-config', parsed.reason, { hint: `nothing was changed; what you wrote is in ${kept}` })
  }
  writeConfig(file, text)
  return 0
}
