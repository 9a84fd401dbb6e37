/** The most an event carried through unmapped may be, in characters of JSON. */
export const UNMAPPED_MAX = 4096

type Scalar = string | number | boolean | null

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

/**
 * A copy of an event's own scalar fields within {@link UNMAPPED_MAX}: never an object of the library, which may be
 * large, shared and still changing. Long strings are cut; fields that no longer fit are left out and counted.
 */
export function scalarCopy(event: object): Record<string, Scalar> {
  const copy: Record<string, Scalar> = {}
  let left = UNMAPPED_MAX - 64
  let omitted = 0
  for (const [key, value] of Object.entries(event)) {
    if (!isScalar(value)) continue
    const kept = typeof value === 'string' && value.length > 1000 ? `${value.slice(0, 1000)}…` : value
    const size = JSON.stringify(key).length + JSON.stringify(kept).length + 2
    if (size > left) {
      omitted++
      continue
    }
    left -= size
    copy[key] = kept
  }
  if (omitted > 0) copy['omitted'] = omitted
  return copy
}
