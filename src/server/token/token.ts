import { randomBytes } from 'node:crypto'

/** Where the token is asked for, once a request. */
export interface TokenSource {
  /** `undefined` while there is none that can be trusted: then nobody is let in. */
  current(): string | undefined
}

/** A new token: 256 bits, as text that stands in a URL's fragment and in a header as it is. */
export function makeToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Could this text be a token? One that is short enough to be guessed is none. */
export function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43,512}$/.test(text)
}

/** A token of this start alone. */
export function createOwnToken(token: string = makeToken()): TokenSource {
  return { current: () => token }
}
