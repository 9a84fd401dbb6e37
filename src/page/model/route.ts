import { isEnsoThreadId } from '../../core/index.js'

/** What stands beside the chat. */
export const PANELS = ['context', 'statistics', 'log'] as const
export type Panel = (typeof PANELS)[number]

/** Where in the page somebody is. */
export interface Route {
  readonly threadId?: string | undefined
  readonly panel?: Panel | undefined
}

/** A place from an address's fragment; whatever isn't one is the beginning. */
export function routeOf(hash: string): Route {
  const parts = hash.replace(/^#\/?/, '').split('/')
  const threadId = parts[0] === 't' && isEnsoThreadId(parts[1]) ? parts[1] : undefined
  const word = threadId === undefined ? parts[0] : parts[2]
  const panel = PANELS.find((name) => name === word)
  return { threadId, panel }
}

/** The fragment of a place. */
export function hashOf({ threadId, panel }: Route): string {
  const parts = [...(threadId === undefined ? [] : ['t', threadId]), ...(panel === undefined ? [] : [panel])]
  return `#/${parts.join('/')}`
}

/** The token in a fragment such as `#token=…`, as the server prints it. */
export function tokenIn(hash: string): string | undefined {
  const token = new URLSearchParams(hash.replace(/^#\/?/, '')).get('token')
  return token === null || token === '' ? undefined : token
}
