import { isEnsoProjectId } from '../../core/index.js'
import { type CommandLine, type Parsed, usageRefused } from '../args/flag.js'
import { parseServerAddress, type ServerAddress } from './server-address.js'

/** What `--connect` was asked for beside a run's options. */
export interface ConnectOptions {
  readonly address: ServerAddress
  /** As typed. */
  readonly tokenFile: string | undefined
  /** The project of a new thread. */
  readonly projectId: string | undefined
}

/** Flags of a run that say how a thread is built or kept: that is the server's to say. */
const SERVER_DECIDES = [
  'fork',
  'ephemeral',
  'take-over',
  'script',
  'record',
  'extension',
  'trust-project',
  'append-system-prompt',
  'sandbox',
  'add-dir',
  'allow-tool',
  'deny-tool',
  'allow-bypass',
  'max-turns',
  'max-cost',
  'max-tokens',
  'output-schema',
]

/** Reads what a run with `--connect` has beside a run's options; refuses what only the server can decide. */
export function parseConnectOptions(line: CommandLine): Parsed<ConnectOptions> {
  const foreign = SERVER_DECIDES.find((name) => line.has(name))
  if (foreign !== undefined) {
    return usageRefused(`--${foreign} and --connect can't be used together`, 'enso serve takes it, for all its threads')
  }
  const address = parseServerAddress(line.value('connect') ?? '')
  if (!address.ok) return address
  const projectId = line.value('project')
  if (projectId !== undefined && !isEnsoProjectId(projectId)) {
    return usageRefused('--project takes a project id', 'GET /api/projects lists them')
  }
  return { ok: true, value: { address: address.value, tokenFile: line.value('token-file'), projectId } }
}
