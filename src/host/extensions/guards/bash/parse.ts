import { type ParsedScript, parse } from 'unbash'

/** A command longer than this, in UTF-16 units, is not judged but refused. */
export const MAX_COMMAND_LENGTH = 32 * 1024

/** A script, or why it can't be judged. */
export type ScriptReading =
  | { readonly ok: true; readonly script: ParsedScript }
  | { readonly ok: false; readonly reason: string }

/** Parses shell text. Doubt is a refusal: what the parser can't read, the shell might still run. */
export function readScript(text: string): ScriptReading {
  if (text.length > MAX_COMMAND_LENGTH) {
    return { ok: false, reason: `the command is longer than ${MAX_COMMAND_LENGTH} characters` }
  }
  const script = parse(text)
  const error = script.errors?.[0]
  return error === undefined
    ? { ok: true, script }
    : { ok: false, reason: `the command does not parse (${error.message})` }
}
