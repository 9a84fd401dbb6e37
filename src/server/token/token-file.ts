import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs'
import { EnsoError, ensoLogger } from '../../core/index.js'
import { writePrivateFile } from '../../system/private-files.js'
import { isToken, makeToken, type TokenSource } from './token.js'

const log = ensoLogger('server', 'token')

/**
 * A token that is kept in a file across starts, made where there is none. The file is read again when it has changed,
 * so a token can be replaced while the server runs; while it is missing or not private, nobody is let in.
 * @throws EnsoError `bad-config` when the file is there and can't be trusted, `disk` when none can be made
 */
export function createKeptToken(file: string): TokenSource {
  let known = readToken(file) ?? makeTokenFile(file)

  return {
    current: () => {
      const now = statSync(file, { throwIfNoEntry: false })
      if (now !== undefined && isSameFile(now, known.stats)) return known.token
      try {
        const read = readToken(file)
        if (read === undefined) return undefined
        known = read
        log.info('the token was replaced')
        return known.token
      } catch (error) {
        log.error('the token file can’t be trusted, and nobody is let in: {error}', { error: (error as Error).message })
        return undefined
      }
    },
  }
}

/** No token is longer. */
const TOKEN_FILE_MAX_BYTES = 1024

interface KeptToken {
  readonly token: string
  readonly stats: Stats
}

/** The file's token; `undefined` where there is no file. @throws EnsoError `bad-config` */
function readToken(file: string): KeptToken | undefined {
  let descriptor: number
  try {
    // Opening a pipe that nobody writes to would wait.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new EnsoError('bad-config', `the token file ${file} can't be read (${code ?? 'unknown'})`, { cause: error })
  }
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) throw new EnsoError('bad-config', `the token file ${file} is no file`)
    if ((stats.mode & 0o077) !== 0) {
      throw new EnsoError('bad-config', `the token file ${file} is open to others`, { hint: `chmod 600 ${file}` })
    }
    if (stats.size > TOKEN_FILE_MAX_BYTES) throw new EnsoError('bad-config', `the token file ${file} holds no token`)
    const token = readFileSync(descriptor, 'utf8').trim()
    if (isToken(token)) return { token, stats }
    throw new EnsoError('bad-config', `the token file ${file} holds no token`, {
      hint: 'it takes at least 43 letters, digits, - and _; remove the file and a new one is made',
    })
  } finally {
    closeSync(descriptor)
  }
}

function makeTokenFile(file: string): KeptToken {
  const token = makeToken()
  try {
    writePrivateFile(file, `${token}\n`)
    return { token, stats: statSync(file) }
  } catch (error) {
    throw new EnsoError('disk', `the token file ${file} can't be made: ${(error as Error).message}`, { cause: error })
  }
}

function isSameFile(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.size === b.size
}
