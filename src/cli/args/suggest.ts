/** How many single-letter changes, swaps of neighbours included, turn one word into another. */
function distance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const now = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1] ? 0 : 1
      let cost = Math.min((now[column - 1] ?? 0) + 1, (last[column] ?? 0) + 1, (last[column - 1] ?? 0) + same)
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      if (row > 1 && column > 1 && swapped) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1)
      now.push(cost)
    }
    beforeLast = last
    last = now
  }
  return last[to.length] ?? 0
}

/** The known word that was probably meant, or `undefined` when none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const allowed = Math.max(1, Math.floor(word.length / 3))
  let best: { readonly word: string; readonly cost: number } | undefined
  for (const candidate of known) {
    const cost = word.length > 2 && candidate.startsWith(`${word}-`) ? 1 : distance(word, candidate)
    if (cost <= allowed && (best === undefined || cost < best.cost)) best = { word: candidate, cost }
  }
  return best?.word
}
