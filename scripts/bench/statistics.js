/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? (sorted[middle] ?? NaN) : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2
}

/**
 * The ratio of two subjects over rounds: the median of each round's own ratio, so that a slow moment of the machine hits
 * both sides, and how far rounds lie apart.
 * @param {readonly number[]} ours
 * @param {readonly number[]} theirs
 */
export function pairedRatio(ours, theirs) {
  const ratios = ours.map((value, round) => value / (theirs[round] ?? NaN)).filter(Number.isFinite)
  return { median: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios) }
}
