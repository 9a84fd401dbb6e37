import type { IncomingMessage } from 'node:http'
import { type Readable, type Transform, pipeline } from 'node:stream'

/** The content of a response without its compression. What can't be undone is handed on as it is. */
export async function decoded(incoming: IncomingMessage): Promise<Readable> {
  // Whoever reads is told of an error; until then it is nobody's.
  incoming.on('error', () => undefined)
  const header = incoming.headers['content-encoding']?.toLowerCase() ?? ''
  const codings = header.split(',').map((coding) => coding.trim())
  let content: Readable = incoming
  // The last coding was put on last.
  for (const coding of codings.reverse()) {
    if (coding === '' || coding === 'identity') continue
    const decoder = await decoderOf(coding)
    if (decoder === undefined) break
    content = pipeline(content, decoder, () => undefined)
  }
  return content
}

async function decoderOf(coding: string): Promise<Transform | undefined> {
  const { constants, createBrotliDecompress, createGunzip, createInflate } = await import('node:zlib')
  // Whatever has come is given out at once, and an end that is cut off is no fault of the compression's.
  const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }
  const { BROTLI_OPERATION_FLUSH } = constants
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip(flush)
  if (coding === 'deflate') return createInflate(flush)
  if (coding !== 'br') return undefined
  return createBrotliDecompress({ flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH })
}
