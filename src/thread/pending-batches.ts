import type { FrameBatch } from './frame-batches.js'
import type { Pending } from './pending-frames.js'

/** A queue of batches as they are: followers that are behind keep the same ones. */
export function createPendingBatches(): Pending<FrameBatch> & { bytes(): number } {
  const batches: FrameBatch[] = []
  let bytes = 0
  return {
    push: (batch) => {
      batches.push(batch)
      bytes += batch.bytes
    },
    shift: () => {
      const next = batches.shift()
      bytes -= next?.bytes ?? 0
      return next
    },
    size: () => batches.length,
    bytes: () => bytes,
    clear: () => {
      batches.length = 0
      bytes = 0
    },
  }
}
