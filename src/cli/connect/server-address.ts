import { readFileSync, statSync } from 'node:fs'
import { EnsoError } from '../../core/index.js'
import { type Parsed, usageRefused } from '../args/flag.js'

/** A server to speak to. */
export interface ServerAddress {
  /** Without a path. */
  readonly origin: string
  /** From the address's fragment. */
  readonly token: string | undefined
}

/** Takes the address that `enso serve` printed, with its fragment or without. Anything else in it is refused. */
export function parseServerAddress(text: string): Parsed<ServerAddress> {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    url.search === ''
  if (!isPlain || url.pathname !== '/') {
    return usageRefused(
      '--connect takes the address that enso serve printed',
      'such as http://127.0.0.1:4040/#token=…, or without the token beside --token-file or ENSO_TOKEN',
    )
  }
  const token = new URLSearchParams(url.hash.slice(1)).get('token') ?? undefined
  return { ok: true, value: { origin: url.origin, token } }
}

/**
 * The token to send: the address's own, else the file's, else `ENSO_TOKEN`.
 * @throws EnsoError `bad-input` where there is none, or the file can't be read or is open to others
 */
export function tokenFor(
  address: ServerAddress,
  tokenFile: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const token = address.token ?? (tokenFile === undefined ? env['ENSO_TOKEN'] : readTokenFile(tokenFile))
  if (token !== undefined && /^[\w-]+$/.test(token)) return token
  throw new EnsoError('bad-input', token === undefined ? 'there is no token for the server' : 'that is no token', {
    hint: 'it stands in the address that enso serve printed, after #token=; or --token-file FILE, or ENSO_TOKEN',
  })
}

function readTokenFile(file: string): string {
  try {
    if ((statSync(file).mode & 0o077) !== 0) {
      throw new EnsoError('bad-input', `the token file ${file} is open to others`, { hint: `chmod 600 ${file}` })
    }
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (error instanceof EnsoError) throw error
    throw new EnsoError('bad-input', `the token file ${file} can't be read`, { cause: error })
  }
}
