import type { CliOutput } from '../io.js'

/** Writes pieces to a stream one after another, waiting where the reader is slow; ends early when the reader has gone. */
export async function writePieces(stream: CliOutput, pieces: Iterable<string>): Promise<void> {
  let gone = false
  const leave = (): void => {
    gone = true
  }
  stream.once('error', leave).once('close', leave)
  try {
    for (const piece of pieces) {
      if (gone) return
      if (stream.write(piece)) continue
      await new Promise<void>((resolve) => {
        stream
          .once('drain', resolve)
          .once('close', resolve)
          .once('error', () => resolve())
      })
    }
  } finally {
    stream.off('error', leave).off('close', leave)
  }
}
