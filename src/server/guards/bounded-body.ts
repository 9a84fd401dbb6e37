import { type EnsoRefusal, refusal } from '../../core/index.js'

/** A body's text, or why it was not taken. */
export type BodyReading =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly refusal: EnsoRefusal }

/** Bounds what all bodies that are being read hold together. */
export interface BodyBudget {
  /** Takes room; @returns false when there is none */
  take(bytes: number): boolean
  give(bytes: number): void
}

/** Makes a budget of so many bytes. */
export function createBodyBudget(limit: number): BodyBudget {
  let taken = 0
  return {
    take: (bytes) => {
      if (taken + bytes > limit) return false
      taken += bytes
      return true
    },
    give: (bytes) => void (taken -= bytes),
  }
}

/**
 * Reads a body as UTF-8 and stops at `limit` bytes, whatever its length header says. Bytes that are no UTF-8 are
 * refused rather than replaced.
 */
export async function readBoundedBody(request: Request, limit: number, budget: BodyBudget): Promise<BodyReading> {
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > limit) return tooLarge(limit)
  if (request.body === null) return { ok: true, text: '' }
  const parts: Uint8Array[] = []
  let size = 0
  const reader = request.body.getReader()
  try {
    for (;;) {
      const { done, value } = (await reader.read()) as { done: boolean; value: Uint8Array | undefined }
      if (done || value === undefined) break
      if (size + value.byteLength > limit) return await abandon(reader, tooLarge(limit))
      if (!budget.take(value.byteLength)) {
        return await abandon(reader, {
          ok: false,
          refusal: refusal('too-many-requests', 'too much is being sent at once'),
        })
      }
      size += value.byteLength
      parts.push(value)
    }
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(parts)) }
  } catch {
    // The decoder found no UTF-8, or the sender left in the middle: then nobody hears this.
    return { ok: false, refusal: refusal('malformed', 'the body is not whole UTF-8') }
  } finally {
    budget.give(size)
  }
}

async function abandon(reader: ReadableStreamDefaultReader<unknown>, reading: BodyReading): Promise<BodyReading> {
  // What is still on its way is nobody's any more; a failure to say so changes nothing.
  await reader.cancel().catch(() => undefined)
  return reading
}

function tooLarge(limit: number): BodyReading {
  return { ok: false, refusal: refusal('too-large', `the body is larger than ${limit} bytes`) }
}
