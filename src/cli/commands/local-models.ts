import {
  ENSO_ABORT_EXIT_CODES,
  EnsoError,
  type EnsoLocalServer,
  type FoundLocalServer,
  jsonLine,
  localChoices,
  localModelName,
} from '../../core/index.js'
import { rememberLocalServer } from '../config/remember-local-server.js'
import { createAsking } from '../dialogs/asking.js'
import { chooseLocalServer } from '../dialogs/choose-local-server.js'
import { refuseUsage } from '../faults.js'
import { count } from '../print/layout.js'
import { createPalette } from '../print/palette.js'
import { sanitizeLine } from '../print/sanitize.js'
import type { Invocation } from './command.js'

/** `enso models --local`: the model servers of this machine, and an agreement to use one. Loads no agent library. */
export async function runLocalModels({ line, io, parts }: Invocation): Promise<number> {
  const servers = await parts.localServers()
  const wanted = line.value('use')
  if (wanted !== undefined) return use(wanted, servers, { io, parts })
  if (line.has('json')) {
    for (const server of servers) io.stdout.write(`${jsonLine(server)}\n`)
    return 0
  }
  for (const server of servers) {
    const { label, url, strangerUid } = server
    const stranger = strangerUid === undefined ? '' : `, run by another user (uid ${strangerUid})`
    for (const choice of localChoices([server])) {
      const window = choice.contextWindow === undefined ? '' : `  ${count(choice.contextWindow)}`
      io.stdout.write(`${sanitizeLine(localModelName(choice))}${window}  ${label} at ${new URL(url).host}${stranger}\n`)
    }
  }
  if (servers.length === 0) io.stderr.write('no model server answers on this machine\n')
  else io.stderr.write('enso models --local --use MODEL agrees to one\n')
  return 0
}

async function use(
  wanted: string,
  servers: readonly FoundLocalServer[],
  { io, parts }: Pick<Invocation, 'io' | 'parts'>,
): Promise<number> {
  const choices = localChoices(servers)
  if (choices.length === 0) throw new EnsoError('no-model', 'no model server answers on this machine')
  const named = choices.filter(
    (choice) => wanted === '' || wanted === choice.model || wanted === localModelName(choice),
  )
  const [only] = named
  if (only === undefined) {
    const there = choices.map(localModelName).join(', ')
    return refuseUsage(io, [], {
      reason: `no server of this machine has ${sanitizeLine(wanted)}`,
      hint: `it has: ${there}`,
    })
  }
  if (named.length === 1) return agree(only, { io, parts })
  const terminal = io.terminal()
  if (terminal === undefined) {
    const there = named.map(localModelName).join(', ')
    return refuseUsage(io, [], { reason: '--use needs a model here', hint: `one of: ${there}` })
  }
  const palette = createPalette(terminal.output, io.env, 'auto')
  const asking = createAsking(terminal, io.clock, palette.enabled)
  try {
    const asked = await chooseLocalServer(asking, servers, palette, new AbortController().signal)
    if (asked.kind === 'stop') return ENSO_ABORT_EXIT_CODES.SIGINT
    if (asked.kind === 'value' && asked.value !== undefined) return agree(asked.value, { io, parts })
    io.stderr.write('nothing was changed\n')
    return 1
  } finally {
    asking.close()
  }
}

function agree(server: EnsoLocalServer, { io, parts }: Pick<Invocation, 'io' | 'parts'>): number {
  rememberLocalServer(parts.home, server)
  const name = sanitizeLine(localModelName(server))
  io.stdout.write(`${name} is used from now on where no other model is chosen or has credentials\n`)
  io.stderr.write('enso config unset localServer takes that back\n')
  return 0
}
