import type { CliIo } from '../io.js'
import type { CliParts } from '../parts.js'
import { createPalette } from '../print/palette.js'
import { createTextVoice } from '../print/text-voice.js'
import { runThread } from '../run/run-command.js'
import type { RunOptions } from '../run/run-options.js'
import { createConversation } from './conversation.js'

/** A thread whose prompts come one after another from the terminal, until Ctrl-D. Answers the exit code. */
export async function converse(options: RunOptions, io: CliIo, parts: CliParts): Promise<number> {
  const voice = await createTextVoice(options, io, parts.home.tmpDir, (kit) =>
    createConversation({ ...kit, io, palette: createPalette(kit.terminal.output, io.env, options.color) }),
  )
  return runThread(options, io, parts, { voice })
}
