/** As deep as a browser keeps elements apart; no page that people read is nested deeper. */
export const HTML_MAX_DEPTH = 512

/** Elements without an end, or that another of their kind ends: they don't nest however often they come. */
const NOT_NESTING = new Set(
  (
    'area base br col embed hr img input link meta source track wbr ' +
    'p li dt dd td th tr tbody option optgroup rp rt'
  ).split(' '),
)

/**
 * Is this HTML nested so deep that reading it would take time by the square of its depth? Looks at tags only, in one
 * pass, before anything is built of them.
 */
export function isTooDeep(html: string): boolean {
  let depth = 0
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9:-]{0,63})/gi)) {
    if (NOT_NESTING.has(name.toLowerCase())) continue
    if (slash === '/') depth = Math.max(0, depth - 1)
    else if (++depth > HTML_MAX_DEPTH) return true
  }
  return false
}
