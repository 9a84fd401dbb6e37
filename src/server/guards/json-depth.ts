/** How deep a body's lists and objects may lie in each other. No shape here is deeper than ten. */
export const JSON_MAX_DEPTH = 64

/** Is a JSON text nested deeper than `limit`? Looks at brackets outside of texts only, so it is cheap for large ones. */
export function isDeeperThan(json: string, limit: number = JSON_MAX_DEPTH): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === 0x22) {
      at = endOfText(json, at)
      if (at === -1) return false
    } else if (code === 0x5b || code === 0x7b) {
      if (++depth > limit) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}

/** Where the text ends that begins at `start`; -1 where it doesn't. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let escapes = 0
    while (json.charCodeAt(end - 1 - escapes) === 0x5c) escapes++
    if (escapes % 2 === 0) return end
  }
  return -1
}
