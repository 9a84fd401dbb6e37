import { AsyncLocalStorage } from 'node:async_hooks'
import { getApiProvider, registerApiProvider } from '@mariozechner/pi-ai'

type Spent = (usage: unknown) => void

const counting = new AsyncLocalStorage<Spent | undefined>()
/** Providers whose calls are looked at already. */
const watched = new WeakSet<object>()

/** A reset of the library's providers takes the watch away, so it is looked for each time. */
function watchCalls(api: string): void {
  const provider = getApiProvider(api)
  if (provider === undefined || watched.has(provider)) return
  registerApiProvider({
    api: provider.api,
    stream: provider.stream,
    streamSimple(model, context, options) {
      const said = provider.streamSimple(model, context, options)
      const spent = counting.getStore()
      if (spent !== undefined) {
        said.result().then(
          ({ usage }) => spent(usage),
          // Whoever asked hears of the failure.
          () => undefined,
        )
      }
      return said
    },
  })
  const ours = getApiProvider(api)
  if (ours !== undefined) watched.add(ours)
}

/**
 * Runs work that may ask a model for a summary, and tells what those calls used: the library keeps no record of them.
 * @param api of the model that would be asked
 */
export function countSummaryCalls<T>(api: string | undefined, spent: Spent, work: () => T): T {
  if (api !== undefined) watchCalls(api)
  return counting.run(spent, work)
}

/** Runs a call that has a message of its own, though it was begun from a summary's work. */
export function notAsSummary<T>(work: () => T): T {
  return counting.getStore() === undefined ? work() : counting.run(undefined, work)
}
