import type { CliIo } from '../io.js'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A signal that asks a run to stop. */
export type StopSignal = (typeof SIGNALS)[number]

/** Listens to the signals that stop a run. The returned function stops listening. */
export function onStopSignals(signals: CliIo['signals'], handler: (signal: StopSignal) => void): () => void {
  const undo = SIGNALS.map((signal) => signals(signal, () => handler(signal)))
  return () => {
    for (const stop of undo) stop()
  }
}
