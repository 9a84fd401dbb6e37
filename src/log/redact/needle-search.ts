/** A part of a text, from `start` up to but not including `end`. */
export interface TextSpan {
  readonly start: number
  readonly end: number
}

/** Finds any of a set of needles, ASCII letters of either case. */
export interface NeedleSearch {
  /** The first match at or after `from`; of several that start there the longest. */
  find(text: string, from: number): TextSpan | undefined
  /** Length of the longest needle; 0 when there are none. */
  readonly longest: number
}

/** Needles shorter than this are never searched for: they would be found everywhere. */
export const MIN_NEEDLE_LENGTH = 8

const LAST = MIN_NEEDLE_LENGTH - 1

function fold(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}

function pairHash(first: number, second: number): number {
  return (first * 251) ^ second
}

/**
 * Searches for all needles in one pass that mostly jumps (Wu and Manber's algorithm over pairs of characters): its cost
 * hardly grows with the number of needles, and a text without a match is read about one character in six.
 */
export function createNeedleSearch(needles: readonly string[]): NeedleSearch {
  const shifts = new Uint8Array(65_536).fill(LAST)
  const byLastPair = new Map<number, string[]>()
  const folded = [...new Set(needles.map(foldCase))].filter((needle) => needle.length >= MIN_NEEDLE_LENGTH)
  folded.sort((a, b) => b.length - a.length)
  for (const needle of folded) {
    for (let at = 1; at <= LAST; at++) {
      const hash = pairHash(needle.charCodeAt(at - 1), needle.charCodeAt(at)) & 65_535
      shifts[hash] = Math.min(shifts[hash] ?? LAST, LAST - at)
      if (at === LAST) byLastPair.set(hash, [...(byLastPair.get(hash) ?? []), needle])
    }
  }
  return {
    longest: folded[0]?.length ?? 0,
    find(text, from) {
      if (folded.length === 0) return undefined
      let at = from + LAST
      while (at < text.length) {
        const hash = pairHash(fold(text.charCodeAt(at - 1)), fold(text.charCodeAt(at))) & 65_535
        const shift = shifts[hash] ?? 0
        if (shift > 0) {
          at += shift
          continue
        }
        const start = at - LAST
        const found = byLastPair.get(hash)?.find((needle) => occursAt(text, start, needle))
        if (found !== undefined) return { start, end: start + found.length }
        at++
      }
      return undefined
    },
  }
}

function occursAt(text: string, start: number, needle: string): boolean {
  if (start + needle.length > text.length) return false
  for (let i = 0; i < needle.length; i++) {
    if (fold(text.charCodeAt(start + i)) !== needle.charCodeAt(i)) return false
  }
  return true
}

/** ASCII capitals as small letters; every other character, and so the length, is kept. */
function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
}
