import { signal } from '@preact/signals'

/** This page's time in milliseconds, once a second while somebody looks at the page. */
export const seconds = signal(Date.now())

/** The same once every half minute: for how long ago something was. */
export const halfMinutes = signal(Date.now())

/** Starts both. */
export function startClock(): void {
  setInterval(() => {
    if (document.hidden) return
    const now = Date.now()
    seconds.value = now
    if (now - halfMinutes.peek() >= 30_000) halfMinutes.value = now
  }, 1000)
}

/** Calls back with the next picture, or soon where none is drawn because nobody looks. */
export function soon(callback: () => void): void {
  if (document.hidden) setTimeout(callback, 200)
  else requestAnimationFrame(callback)
}
