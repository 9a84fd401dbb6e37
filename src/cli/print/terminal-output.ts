import { Writable } from 'node:stream'
import type { CliIo, CliOutput } from '../io.js'

/** Are standard output and standard error one picture on a terminal? */
export function isSharedTerminal({ stdout, stderr }: Pick<CliIo, 'stdout' | 'stderr'>): boolean {
  return stdout.isTTY === true && stderr.isTTY === true
}

/**
 * What questions and prompts draw on: `output`, the terminal's own stream, or where the reply goes to the same terminal
 * the reply's stream, since only one stream keeps things in order. It has the size of `output` either way.
 */
export function terminalOutput(io: Pick<CliIo, 'stdout' | 'stderr'>, output: CliOutput): CliOutput {
  if (!isSharedTerminal(io)) return output
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      io.stdout.write(chunk)
      done()
    },
  })
  output.on('resize', () => void stream.emit('resize'))
  return Object.defineProperties(stream, {
    isTTY: { value: true },
    columns: { get: () => output.columns },
    rows: { get: () => (output as { readonly rows?: number }).rows },
    fd: { value: output.fd },
  })
}
