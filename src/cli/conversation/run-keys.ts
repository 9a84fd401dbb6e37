import { emitKeypressEvents, type Key } from 'node:readline'
import type { CliTerminal } from '../io.js'

/** What keys mean while a run goes and nothing is asked. */
export interface RunKeys {
  /** Something was typed. Called once; the keys that follow belong to whoever is called. */
  readonly typed: (text: string) => void
  /** Ctrl-C. */
  readonly stop: () => void
}

type Handle = CliTerminal['input'] & { setRawMode?(raw: boolean): void }

/** Listens to a terminal's keys without showing them. The returned function leaves the terminal as it was. */
export function watchRunKeys(terminal: CliTerminal, { typed, stop }: RunKeys): () => void {
  const input = terminal.input as Handle
  const onKey = (text: string | undefined, key: Key): void => {
    if (key.ctrl === true && key.name === 'c') return stop()
    const printable = text !== undefined && text >= ' ' && text !== '\x7f' && key.ctrl !== true && key.meta !== true
    if (!printable) return
    leave()
    typed(text)
  }
  const leave = (): void => {
    input.off('keypress', onKey)
    input.setRawMode?.(false)
    input.pause()
  }
  emitKeypressEvents(input)
  input.setRawMode?.(true)
  input.on('keypress', onKey)
  input.resume()
  return leave
}
