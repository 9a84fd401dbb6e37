import type { CliOutput } from '../io.js'

/** Writes pieces one after another to a reader who may be slow, or gone. */
export interface PieceWriter {
  /** Resolves when the next piece may come: at once while little waits. False when the reader has gone. */
  write(piece: string): boolean | Promise<boolean>
  /** Writes what waits, and lets go of the stream. */
  end(): Promise<void>
}

/** Pieces are written together up to this many characters. */
const BATCH_CHARS = 64 * 1024

/** A writer to a stream. Call `end` on every way out. */
export function createPieceWriter(stream: CliOutput): PieceWriter {
  let gone = false
  let waiting = ''
  const leave = (): void => {
    gone = true
  }
  stream.once('error', leave).once('close', leave)

  const flush = async (): Promise<boolean> => {
    const text = waiting
    waiting = ''
    if (gone || text === '' || stream.write(text)) return !gone
    await new Promise<void>((resolve) => {
      stream
        .once('drain', resolve)
        .once('close', resolve)
        .once('error', () => resolve())
    })
    return !gone
  }

  return {
    write(piece) {
      waiting += piece
      return waiting.length < BATCH_CHARS ? !gone : flush()
    },
    async end() {
      await flush()
      stream.off('error', leave).off('close', leave)
    },
  }
}

/** Writes pieces to a stream one after another, waiting where the reader is slow; ends early when the reader has gone. */
export async function writePieces(stream: CliOutput, pieces: Iterable<string>): Promise<void> {
  const writer = createPieceWriter(stream)
  try {
    for (const piece of pieces) if (!(await writer.write(piece))) return
  } finally {
    await writer.end()
  }
}
