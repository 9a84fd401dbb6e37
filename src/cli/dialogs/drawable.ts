import { Writable } from 'node:stream'
import type { CliOutput } from '../io.js'

/** A terminal as prompts draw on it, and a way to have the open one drawn again. */
export interface Drawable {
  readonly stream: Writable
  /** The open prompt draws itself anew, as after a change of the window's size. */
  redraw(): void
  /** Lets go of the terminal's own stream. */
  close(): void
}

// oxlint-disable-next-line no-control-regex
const COLOURS = /\x1b\[[0-9;]*m/g

/** Stands before a terminal's stream, so that its size can be asked, a redraw be called for, and colour left out. */
export function drawableOn(output: CliOutput, coloured: boolean): Drawable {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const text = String(chunk)
      output.write(coloured ? text : text.replace(COLOURS, ''))
      done()
    },
  })
  Object.defineProperties(stream, {
    isTTY: { value: true },
    columns: { get: () => output.columns ?? 80 },
    rows: { get: () => (output as { readonly rows?: number }).rows ?? 24 },
  })
  const redraw = (): void => void stream.emit('resize')
  output.on('resize', redraw)
  return { stream, redraw, close: () => void output.off('resize', redraw) }
}
