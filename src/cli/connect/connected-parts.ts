import type { Invocation } from '../commands/command.js'
import { refuseUsage } from '../faults.js'
import type { CliParts } from '../parts.js'
import { sanitize } from '../print/sanitize.js'
import type { RunOptions } from '../run/run-options.js'
import { inFolder } from '../run/run-thread.js'
import { createEnsoClient } from './client.js'
import { parseConnectOptions } from './connect-options.js'
import { createRunRemote } from './remote-parts.js'
import { tokenFor } from './server-address.js'

/**
 * The parts of a run with a server's threads in them, or the exit code of what was refused.
 * @throws EnsoError `bad-input` where there is no token
 */
export async function connectedParts(
  { line, argv, io, parts }: Invocation,
  { quiet }: Pick<RunOptions, 'quiet'>,
): Promise<CliParts | number> {
  const parsed = parseConnectOptions(line)
  if (!parsed.ok) return refuseUsage(io, argv, parsed.refusal)
  const { address, tokenFile, projectId } = parsed.value
  const file = tokenFile === undefined ? undefined : inFolder(tokenFile, io.cwd, io)
  const client = createEnsoClient({ origin: address.origin, token: tokenFor(address, file, io.env), projectId })
  const note = (text: string): void => {
    if (!quiet) io.stderr.write(`enso: ${sanitize(text)}\n`)
  }
  return { ...parts, remote: createRunRemote({ client, io, note }) }
}
