import type { Key } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { CliClock, CliTerminal } from '../io.js'
import { type Drawable, drawableOn } from './drawable.js'

/** How asking a person ended: with a value, by Esc, by Ctrl-C, or because the question was settled elsewhere. */
export type Asked<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'closed' }

/** What a prompt of the library is given. */
export interface PromptStreams {
  readonly input: Readable
  readonly output: Writable
  readonly signal: AbortSignal
}

/** Puts one prompt after another on a terminal. */
export interface Asking {
  /** `prompt` is called with the streams and answers a value, or a symbol when it was cancelled. */
  ask<T>(prompt: (streams: PromptStreams) => Promise<T>, closed: AbortSignal): Promise<Asked<Exclude<T, symbol>>>
  /** Lines above the next prompt, harmless already. */
  write(lines: string): void
  redraw(): void
  /** Throws away what was typed before anybody asked; a Ctrl-C among it still stops. */
  discardTyped(): Promise<'discarded' | 'stop'>
  close(): void
}

/** How long what was typed ahead may take to arrive, in milliseconds. */
const TYPED_AHEAD_MS = 40

type Handle = CliTerminal['input'] & { setRawMode?(raw: boolean): void; ref?(): void; unref?(): void }

/** Prompts on a terminal, with the keys that mean the same in each: Esc cancels, Ctrl-C stops, Ctrl-D cancels. */
export function createAsking(terminal: CliTerminal, clock: CliClock, coloured: boolean): Asking {
  const input = terminal.input as Handle
  const drawable: Drawable = drawableOn(terminal.output, coloured)

  return {
    async ask<T>(prompt: (streams: PromptStreams) => Promise<T>, closed: AbortSignal) {
      if (closed.aborted) return { kind: 'closed' as const }
      let stopped = false
      const left = new AbortController()
      const onKey = (_text: string | undefined, key: Key): void => {
        if (key.ctrl === true && key.name === 'c') stopped = true
        // The line editor beneath would end at Ctrl-D and the prompt would wait for ever.
        if (key.ctrl === true && key.name === 'd') left.abort()
      }
      const leave = (): void => left.abort()
      input.ref?.()
      input.on('keypress', onKey)
      input.once('end', leave)
      // A prompt that has ended still listens: it is told of nothing that comes later.
      closed.addEventListener('abort', leave)
      try {
        const value = await prompt({ input, output: drawable.stream, signal: left.signal })
        if (stopped) return { kind: 'stop' as const }
        if (closed.aborted) return { kind: 'closed' as const }
        if (typeof value === 'symbol') return { kind: 'cancelled' as const }
        return { kind: 'value' as const, value: value as Exclude<T, symbol> }
      } finally {
        input.off('keypress', onKey)
        input.off('end', leave)
        closed.removeEventListener('abort', leave)
        input.unref?.()
      }
    },
    write: (lines) => void terminal.output.write(`${lines}\n`),
    redraw: () => drawable.redraw(),
    discardTyped() {
      return new Promise((resolve) => {
        let stopped = false
        const look = (chunk: Buffer | string): void => {
          stopped ||= String(chunk).includes('\x03')
        }
        input.setRawMode?.(true)
        input.on('data', look)
        input.resume()
        clock.after(TYPED_AHEAD_MS, () => {
          input.off('data', look)
          input.pause()
          resolve(stopped ? 'stop' : 'discarded')
        })
      })
    },
    close: () => drawable.close(),
  }
}
