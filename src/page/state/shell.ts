import { signal } from '@preact/signals'

/** On a small screen: the list of threads lies over the chat. */
export const isRailOpen = signal(false)
