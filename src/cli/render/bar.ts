const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** A bar of at most `columns`, as long as `share` (0 to 1) says; anything above nothing is at least visible. */
export function bar(share: number, columns: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * columns * 8)
  const drawn = share > 0 ? Math.max(1, eighths) : 0
  return '█'.repeat(Math.floor(drawn / 8)) + (EIGHTHS[drawn % 8] ?? '')
}
