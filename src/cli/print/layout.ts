import stringWidth from 'string-width'
import type { CliOutput } from '../io.js'

/** A line written where nobody says how wide it may be. */
const UNBOUNDED_WIDTH = 200
const NARROWEST = 20

/** Made when it is needed: it loads tables of all alphabets. */
let segmenter: Intl.Segmenter | undefined

/** Columns a line may take: a terminal's own less one, so that it never wraps; else a bound against endless lines. */
export function usableWidth(stream: CliOutput): number {
  if (stream.isTTY !== true) return UNBOUNDED_WIDTH
  return Math.max(NARROWEST, (stream.columns || 80) - 1)
}

/** The text cut to a number of columns, with `…` for what is left out. Wide characters count as the two they take. */
export function fit(text: string, width: number): string {
  if (text.length <= width && /^[\x20-\x7e]*$/.test(text)) return text
  // No character is narrower than a quarter of its length in code units; the rest can't be seen anyway.
  const bounded = text.length > width * 16 ? text.slice(0, width * 16) : text
  if (bounded === text && stringWidth(text) <= width) return text
  let kept = ''
  let used = 0
  for (const { segment } of (segmenter ??= new Intl.Segmenter()).segment(bounded)) {
    const columns = stringWidth(segment)
    if (used + columns > width - 1) break
    kept += segment
    used += columns
  }
  return `${kept}…`
}

/** Tabs as spaces, so that a line's width is what it seems. */
export function expandTabs(line: string): string {
  return line.includes('\t') ? line.replaceAll('\t', '    ') : line
}

/** A time a person reads at a glance: `340 ms`, `4.2 s`, `3 m 05 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  const minutes = Math.floor(seconds / 60)
  const rest = String(seconds % 60).padStart(2, '0')
  return minutes < 60
    ? `${minutes} m ${rest} s`
    : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} m`
}

/** A count a person reads at a glance: `980`, `12.3k`, `1.2M`. */
export function count(value: number): string {
  if (value < 1000) return String(Math.round(value))
  return value < 999_950 ? `${(value / 1000).toFixed(1)}k` : `${(value / 1_000_000).toFixed(1)}M`
}
