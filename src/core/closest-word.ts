/** The known word that is most like the given one, when one is close enough to be what was meant. */
export function closestWord(word: string, known: readonly string[]): string | undefined {
  const given = word.toLowerCase()
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(given.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(given, candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      let cost = Math.min(current[column - 1]! + 1, last[column]! + 1, last[column - 1]! + (same ? 0 : 1))
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        cost = Math.min(cost, beforeLast[column - 2]! + 1)
      }
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return last[to.length]!
}
