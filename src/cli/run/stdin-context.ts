import type { CliClock, CliInput } from '../io.js'

/** How long a silent standard input is given before a run that has its prompt goes on without it, in milliseconds. */
export const STDIN_GRACE_MS = 3000

/** What standard input had to say. */
export type StdinText =
  | { readonly kind: 'text'; readonly text: string }
  /** Nobody wrote and nobody closed it within the grace. */
  | { readonly kind: 'silent' }
  | { readonly kind: 'too-large' }
  /** Bytes that are no text: `binary` with NULs in them, else not UTF-8. */
  | { readonly kind: 'no-text'; readonly binary: boolean }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'aborted' }

export interface StdinRequest {
  readonly stdin: CliInput
  readonly clock: CliClock
  /** Wait for the first byte this long; `undefined` waits for ever. */
  readonly graceMs: number | undefined
  /** More than this is refused rather than kept. */
  readonly maxBytes: number
  readonly signal: AbortSignal
  /** Told once when nothing has come for the usual grace although the read goes on waiting. */
  readonly onWaiting?: () => void
}

/**
 * Reads standard input to its end. With a grace it gives up when neither a byte nor the end comes in time: a pipe that
 * its starter left open must not hold a run that has its prompt already. Once a byte has come it reads to the end.
 */
export function readStdinText(request: StdinRequest): Promise<StdinText> {
  const { stdin, clock, graceMs, maxBytes, signal } = request
  return new Promise((resolve) => {
    const parts: Buffer[] = []
    let size = 0
    const finish = (result: StdinText): void => {
      cancelGrace()
      stdin.off('data', onData).off('end', onEnd).off('close', onEnd)
      signal.removeEventListener('abort', onAbort)
      stdin.pause()
      resolve(result)
    }
    const onData = (chunk: Buffer | string): void => {
      cancelGrace()
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      size += bytes.length
      if (size > maxBytes) return finish({ kind: 'too-large' })
      parts.push(bytes)
    }
    const onEnd = (): void => finish(decode(Buffer.concat(parts)))
    const onAbort = (): void => finish({ kind: 'aborted' })
    const cancelGrace = clock.after(graceMs ?? STDIN_GRACE_MS, () => {
      if (graceMs === undefined) request.onWaiting?.()
      else finish({ kind: 'silent' })
    })
    stdin.on('data', onData).once('end', onEnd).once('close', onEnd)
    // Stays: a standard input that fails later must not become an uncaught fault.
    stdin.on('error', (error: Error) => finish({ kind: 'failed', reason: error.message }))
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort)
    if (stdin.readableEnded || stdin.destroyed) onEnd()
  })
}

/** Text as it was sent, or none: a replaced byte would be another text than the one that was piped in. */
function decode(bytes: Buffer): StdinText {
  if (bytes.includes(0)) return { kind: 'no-text', binary: true }
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { kind: 'no-text', binary: false }
  }
}

/** The prompt with what was piped in beside it. Blank input adds nothing. */
export function withStdinContext(prompt: string, context: string): string {
  return context.trim() === '' ? prompt : `${prompt}\n\n<stdin>\n${context.replace(/\n$/, '')}\n</stdin>`
}
