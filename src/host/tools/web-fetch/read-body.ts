import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { WEB_FETCH_MAX_RESPONSE_BYTES } from '../../../core/web-fetch.js'

/** A body as far as it was read. `cut` says that there was more. */
export interface WebBody {
  readonly bytes: Buffer
  readonly cut: boolean
}

/**
 * Reads a response's decoded bytes up to the cap and lets go of the rest: a small body that unpacks to a huge one costs
 * no more than the cap. Fails on an encoding that isn't known: ask `isKnownEncoding` before.
 */
export async function readBody(response: IncomingMessage, signal: AbortSignal): Promise<WebBody> {
  const decoded = decodedStream(response)
  const stop = (): void => {
    response.destroy(new Error('stopped'))
    decoded.destroy(new Error('stopped'))
  }
  signal.addEventListener('abort', stop, { once: true })
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of decoded as AsyncIterable<Buffer>) {
      const room = WEB_FETCH_MAX_RESPONSE_BYTES - size
      chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk)
      size += Math.min(chunk.length, room)
      if (chunk.length > room) return { bytes: Buffer.concat(chunks), cut: true }
    }
    return { bytes: Buffer.concat(chunks), cut: false }
  } finally {
    signal.removeEventListener('abort', stop)
    response.destroy()
    decoded.destroy()
  }
}

/** How the body is packed; '' where it isn't. */
export function contentEncoding(response: IncomingMessage): string {
  const encoding = (response.headers['content-encoding'] ?? '').trim().toLowerCase()
  return encoding === 'identity' ? '' : encoding
}

/** Can a body that is packed like this be read? */
export function isKnownEncoding(encoding: string): boolean {
  return encoding === '' || Object.hasOwn(DECODERS, encoding)
}

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

function decodedStream(response: IncomingMessage): Readable {
  const encoding = contentEncoding(response)
  if (encoding === '') return response
  const decoder = DECODERS[encoding]?.()
  if (decoder === undefined) throw new Error(`the encoding ${encoding} is not known`)
  // An error of the socket must end the decoder too, or its reader waits for ever.
  response.once('error', (error) => decoder.destroy(error))
  return response.pipe(decoder)
}
