import { duration } from '../print/layout.js'
import type { Palette } from '../print/palette.js'
import { sanitize } from '../print/sanitize.js'

/** Lines of a question's detail that are shown; a decision needs to see what it is about, a screen has an end. */
const DETAIL_LINES = 400

/** Preformatted detail (a diff, a command) to stand above a question: harmless, its changes coloured. */
export function detailText(detail: string, palette: Palette): string {
  const lines = sanitize(detail).trimEnd().split('\n')
  const painted = lines.slice(0, DETAIL_LINES).map((line) => {
    if (/^\+(?!\+\+)/.test(line)) return palette.green(line)
    return /^-(?!--)/.test(line) ? palette.red(line) : line
  })
  const hidden = lines.length - painted.length
  return [...painted, ...(hidden > 0 ? [palette.yellow(`… ${hidden} more lines are not shown`)] : [])].join('\n')
}

/** A question's title, with what is left of its time. */
export function titleText(title: string, leftMs: number | undefined): string {
  const words = sanitize(title).trim()
  if (leftMs === undefined) return words
  const left = Math.max(0, Math.ceil(leftMs / 1000) * 1000)
  return `${words} (ends in ${duration(left)
    .replace('.0 s', ' s')
    .replace(/^0 ms$/, '0 s')})`
}
