import fs from 'node:fs'
import { Writable } from 'node:stream'
import type { CliOutput } from '../io.js'

// Taken now: later the one on the module lands on standard error.
const { writeSync } = fs

/** The one way to the real standard output, and a way to finish it when no turn of the event loop is left. */
export interface RealStdout {
  readonly stream: CliOutput
  /**
   * Writes everything accepted so far and then `text`, before it returns. Gives up on a reader that takes nothing for
   * `patienceMs`, and on one that is gone. Afterwards the stream writes synchronously.
   */
  finishNow(text: string, patienceMs: number): void
}

/** What `createRealStdout` needs of the stream that Node made for the descriptor. */
export interface RawStdout {
  write(chunk: Uint8Array, done: (error?: Error | null) => void): boolean
  on(event: 'error', listener: (error: Error) => void): unknown
  readonly isTTY?: boolean
  readonly columns?: number
  /** Bytes the system has not taken yet. */
  readonly unsent: () => number
}

/** Above this many accepted bytes `write` says that the reader is behind. */
const HIGH_WATER_BYTES = 64 * 1024

/**
 * A stream over a descriptor that gives one chunk at a time to Node's own stream, so that what is on its way is known
 * exactly: a last record written in an emergency never lands in the middle of a line.
 */
export function createRealStdout(raw: RawStdout, fd: number): RealStdout {
  let sending: { readonly chunk: Uint8Array; readonly done: (error?: Error | null) => void } | undefined
  let synchronous: number | undefined

  const send = (chunk: Uint8Array, done: (error?: Error | null) => void): void => {
    if (synchronous !== undefined) return done(writeAll(fd, chunk, synchronous))
    const job = { chunk, done }
    sending = job
    raw.write(chunk, (error) => {
      if (sending !== job) return
      sending = undefined
      done(error)
    })
  }
  const stream = new Writable({
    highWaterMark: HIGH_WATER_BYTES,
    decodeStrings: true,
    write: (chunk: Buffer, _encoding, done) => send(chunk, done),
    writev: (chunks, done) => send(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)), done),
  })
  raw.on('error', (error) => stream.destroy(error))
  Object.defineProperties(stream, {
    isTTY: { get: () => raw.isTTY === true },
    columns: { get: () => raw.columns },
    fd: { value: fd },
  })

  return {
    stream,
    finishNow(text, patienceMs) {
      synchronous = patienceMs
      const job = sending
      sending = undefined
      if (job)
        job.done(
          writeAll(fd, job.chunk.subarray(job.chunk.length - Math.min(raw.unsent(), job.chunk.length)), patienceMs),
        )
      if (!stream.destroyed && text !== '') stream.write(text)
    },
  }
}

/** @returns the error that stopped it, or null when everything is written */
function writeAll(fd: number, chunk: Uint8Array, patienceMs: number): Error | null {
  let left = chunk
  for (let waited = 0; left.length > 0;) {
    try {
      left = left.subarray(writeSync(fd, left))
      waited = 0
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || waited >= patienceMs) return error as Error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
      waited += 5
    }
  }
  return null
}

/** Node's stream for standard output as `createRealStdout` wants it, its `write` taken before anybody replaces it. */
export function rawStdout(stream: NodeJS.WriteStream): RawStdout {
  const write = stream.write.bind(stream)
  const handle = (stream as unknown as { _handle?: { writeQueueSize?: number } })._handle
  return {
    write: (chunk, done) => write(chunk, done),
    on: (event, listener) => stream.on(event, listener),
    get isTTY() {
      return stream.isTTY
    },
    get columns() {
      return stream.columns
    },
    // Files and terminals are written synchronously; only a pipe or a socket can owe anything.
    unsent: () => handle?.writeQueueSize ?? 0,
  }
}
