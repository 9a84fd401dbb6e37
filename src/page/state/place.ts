import { signal } from '@preact/signals'
import { takeToken } from '../api/token.js'
import { hashOf, type Panel, type Route, routeOf, tokenIn } from '../model/route.js'

/** Where in the page somebody is. */
export const route = signal<Route>({})

/** Goes somewhere; the way back is the browser's. */
export function go(next: Route): void {
  location.hash = hashOf(next)
}

/** Opens a panel beside what is there, or closes it when it is open. */
export function togglePanel(panel: Panel): void {
  const { threadId, panel: open } = route.peek()
  go({ threadId, panel: open === panel ? undefined : panel })
}

/** Closes whatever panel is open. */
export function closePanel(): void {
  go({ threadId: route.peek().threadId })
}

/** Follows the address, which may bring a new token too. */
export function followAddress(): void {
  const read = (): void => {
    if (tokenIn(location.hash) !== undefined) takeToken()
    route.value = routeOf(location.hash)
  }
  takeToken()
  read()
  addEventListener('hashchange', read)
}
