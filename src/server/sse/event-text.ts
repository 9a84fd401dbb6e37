import type { FrameBatch } from '../../thread/frame-batches.js'

/** Event text as the wire has it. `data` holds no line feed. */
export function eventText(id: string | number, data: string): string {
  return `id: ${id}\ndata: ${data}\n\n`
}

/** The bytes of batches, made once for all who are sent them. */
const made = new WeakMap<FrameBatch, Uint8Array>()

/** A batch as the wire has it. Each event's id is the number of the last observation in it or before it. */
export function eventBytes(batch: FrameBatch): Uint8Array {
  const known = made.get(batch)
  if (known !== undefined) return known
  let text = ''
  let id = batch.after
  for (const { frame, line } of batch.frames) {
    if (frame.type === 'observation') id = frame.seq
    text += eventText(id, line())
  }
  const bytes = Buffer.from(text)
  made.set(batch, bytes)
  return bytes
}
