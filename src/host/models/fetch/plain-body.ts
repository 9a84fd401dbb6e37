import type { Readable } from 'node:stream'

/** One end of a read: the next bytes, or that there are no more. */
export type BodyRead =
  | { readonly done: false; readonly value: Uint8Array }
  | { readonly done: true; readonly value: undefined }

export interface PlainBodyReader {
  read(): Promise<BodyRead>
  cancel(): Promise<void>
  releaseLock(): void
}

/** What the model providers' own libraries use of a `ReadableStream`. Bytes are taken from the network as it is read. */
export interface PlainBody extends AsyncIterable<Uint8Array> {
  readonly locked: boolean
  getReader(): PlainBodyReader
  cancel(): Promise<void>
  isUsed(): boolean
}

/** What a body is made of. */
export interface BodySource {
  /** Its bytes, decoded. */
  readonly content: Readable
  /** What a reader is told of an error. */
  readonly told: (error: unknown) => unknown
  /** Sees the bytes that are read. */
  readonly watch: ((chunk: Uint8Array) => void) | undefined
}

/**
 * A body over a stream of bytes, for one reader at a time. Whoever stops reading early ends the connection. An error
 * that comes while nobody reads is told to the next read.
 */
export function createPlainBody({ content, told, watch }: BodySource): PlainBody {
  content.on('error', () => undefined)
  const iterator = content[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>
  let locked = false
  let used = false

  const next = async (): Promise<BodyRead> => {
    used = true
    const { done, value } = await iterator.next().catch((error: unknown) => {
      throw told(error)
    })
    if (done === true) return { done: true, value: undefined }
    watch?.(value)
    return { done: false, value }
  }
  const cancel = async (): Promise<void> => {
    used = true
    content.destroy()
  }
  const lock = (): void => {
    if (locked) throw new TypeError('the body is being read by somebody else')
    locked = true
  }
  return {
    get locked() {
      return locked
    },
    getReader() {
      lock()
      return {
        read: next,
        cancel,
        releaseLock: () => {
          locked = false
        },
      }
    },
    cancel,
    isUsed: () => used,
    [Symbol.asyncIterator]() {
      lock()
      return {
        next,
        return: async () => {
          await cancel()
          return { done: true, value: undefined }
        },
      }
    },
  }
}
