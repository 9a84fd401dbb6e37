import { signal } from '@preact/signals'
import { hashOf, routeOf, tokenIn } from '../model/route.js'

const KEY = 'enso-token'

/** The server's token, as long as this tab knows one that is taken. */
export const token = signal<string | undefined>(undefined)

/** True once the server has refused the token: another one is needed. */
export const tokenRefused = signal(false)

/** Takes the token out of the address, where the server put it, and keeps it for this tab. */
export function takeToken(): void {
  const given = tokenIn(location.hash)
  if (given === undefined) {
    token.value = sessionStorage.getItem(KEY) ?? undefined
    return
  }
  useToken(given)
  history.replaceState(null, '', `${location.pathname}${hashOf(routeOf(''))}`)
}

/** Uses a token that somebody typed or pasted: bare, or in the address the server printed. */
export function useToken(text: string): void {
  const bare = text.trim()
  const at = bare.indexOf('#')
  const found = (at === -1 ? undefined : tokenIn(bare.slice(at))) ?? bare
  sessionStorage.setItem(KEY, found)
  tokenRefused.value = false
  token.value = found
}

/** The server does not take the token. */
export function refuseToken(refused: string): void {
  if (token.peek() !== refused) return
  sessionStorage.removeItem(KEY)
  tokenRefused.value = true
  token.value = undefined
}
