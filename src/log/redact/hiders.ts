/**
 * What can stand inside a secret without anybody seeing it there: characters that are drawn as nothing, colours of a
 * terminal, control characters, and the breaks and indents of wrapped lines, each as it is or escaped in quoted text.
 */
const HIDERS =
  // oxlint-disable-next-line no-control-regex
  /(?:(?:\x1b|\\{1,4}u001b)\[[0-?]{0,32}[ -/]{0,8}[@-~]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\\{1,4}u00[01][0-9a-f]|(?:\r|\\{1,4}r)?(?:\n|\\{1,4}n)(?:[ \t]|\\{1,4}t)*|\p{Cf}|\p{Variation_Selector}|\u034f)+/giu

// oxlint-disable-next-line no-control-regex
const QUICK = /[\\\x00-\x1f\x7f-\uffff]/

/** Has this text anything in which a secret could be hidden? Said of more texts than it is true of. */
export function mayHide(text: string): boolean {
  return QUICK.test(text)
}

/** A text without what hides, and where its characters stood. */
export interface Unhidden {
  readonly text: string
  /** Where a character of it stands in the whole text. */
  at(index: number): number
}

/** The text without what hides; nothing where there is none of it. */
export function unhidden(text: string): Unhidden | undefined {
  if (!QUICK.test(text)) return undefined
  // Each piece that is kept: where it begins without what hides, and where in the whole text.
  const begins: number[] = []
  const places: number[] = []
  let kept = ''
  let from = 0
  const keep = (to: number): void => {
    if (to === from) return
    begins.push(kept.length)
    places.push(from)
    kept += text.slice(from, to)
  }
  for (const match of text.matchAll(HIDERS)) {
    keep(match.index)
    from = match.index + match[0].length
  }
  if (from === 0) return undefined
  keep(text.length)
  return {
    text: kept,
    at(index) {
      let low = 0
      for (let high = begins.length - 1; low < high;) {
        const middle = Math.ceil((low + high) / 2)
        if ((begins[middle] ?? 0) <= index) low = middle
        else high = middle - 1
      }
      return (places[low] ?? 0) + index - (begins[low] ?? 0)
    },
  }
}
