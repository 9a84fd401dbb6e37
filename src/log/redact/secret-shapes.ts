import { type AnnouncedSpan, announcedSpans, mayAnnounce } from './announced.js'
import type { TextSpan } from './needle-search.js'

/**
 * Text that is a secret by its look alone, whoever it belongs to. Narrow on purpose: a long run of letters and digits
 * is as often a path or an id, so each shape has a mark that nothing else has.
 *
 * A group named `keep` is what stays in front of the marker.
 */
const SHAPES: readonly RegExp[] = [
  // A key's first line in base64, as cluster configurations hold it.
  /\bLS0tLS1CRUdJTi[A-Za-z0-9+/=_-]{16,}/g,
  /-----BEGIN(?:%20|\+)(?:[A-Z0-9]{1,20}(?:%20|\+)){0,3}PRIVATE(?:%20|\+)KEY[^\s"'&]*/g,
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  /\bsk-(?=[A-Za-z_-]{0,100}\d)[A-Za-z0-9_-]{16,}/g,
  /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{20,})/g,
  /\b(?:[srp]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{16,}|hf_[A-Za-z0-9]{30,}|do[opr]_v1_[a-f0-9]{64}|pypi-[A-Za-z0-9_-]{16,}|lin_api_[A-Za-z0-9]{20,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|gl(?:sa|c)_[A-Za-z0-9_]{20,}|sbp_[a-f0-9]{40}|ATATT3[A-Za-z0-9_=-]{20,}|dapi[a-f0-9]{32}|sntrys_[A-Za-z0-9_=+/]{20,})/g,
  /\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}|\bya29\.[A-Za-z0-9_-]{20,}|\bAGE-SECRET-KEY-1[A-Z0-9]{50,}/g,
  /(?<keep>\bhooks\.slack\.com\/services\/)[A-Za-z0-9/]{20,}|(?<keep2>\bAccountKey=)[A-Za-z0-9+/=]{20,}/g,
  /\b(?:xox[abcdeprs]-[A-Za-z0-9-]{10,}|npm_[A-Za-z0-9]{36}|AIza[A-Za-z0-9_-]{35}|(?:AKIA|ASIA)[A-Z0-9]{16})\b/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  /(?<keep>\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'\\]{0,256}:)[^\s/@"'\\]{1,1024}(?=@)/gi,
  /(?<keep>\b[a-z][a-z0-9+.-]{1,20}:\/\/)(?=[A-Za-z_-]{0,256}\d)(?=[0-9_-]{0,256}[A-Za-z])[A-Za-z0-9_-]{20,256}(?=@)/gi,
  /(?<keep>\b(?:[Bb]earer|[Bb]asic|BEARER|BASIC)[ \t]+)[A-Za-z0-9._~+/=-]{16,}/g,
]

const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
/** A line's feed, perhaps as quoted text has it. */
const FEED = /(?:\r?\n|(?:\\{1,2}r)?\\{1,2}n)$/
const KEY_LINE_MAX = 100

/** What a text must hold for any shape to be in it; one cheap look decides for most records. */
const HINT =
  /PRIVATE(?: |%20|\+)KEY|LS0tLS1CRUdJTi|sk-|[srp]k_|whsec_|hf_|do[opr]_v1_|pypi-|lin_api_|shp[acps]|glsa_|glc_|sbp_|ATATT3|dapi|sntrys_|SG\.|ya29\.|AGE-SECRET|hooks\.slack|AccountKey=|gh[pousr]_|github_pat_|glpat-|xox[abcdeprs]-|npm_|AIza|AKIA|ASIA|eyJ|:\/\//

/** Could a secret's shape be in this text (or in a value serialised as it)? */
export function mayHoldShape(text: string): boolean {
  return HINT.test(text) || mayAnnounce(text)
}

/** The places of shapes in a text; they may overlap. */
export function shapeSpans(text: string): readonly AnnouncedSpan[] {
  if (text.length < 8) return []
  if (!mayHoldShape(text)) return []
  const shaped = SHAPES.flatMap((shape) =>
    [...text.matchAll(shape)].map((match) => ({
      start: match.index + (match.groups?.['keep'] ?? match.groups?.['keep2'] ?? '').length,
      end: match.index + match[0].length,
    })),
  )
  return [...shaped, ...keyEnds(text), ...announcedSpans(text)]
}

/** The last lines of a key block whose beginning is not in the text: an output that was cut at its head. */
function keyEnds(text: string): TextSpan[] {
  return [...text.matchAll(KEY_END)].flatMap(({ index, 0: marker }) => {
    let start = keyLineStart(text, index, 4)
    for (let next = keyLineStart(text, start, 24); next < start; next = keyLineStart(text, start, 24)) start = next
    return start < index ? [{ start, end: index + marker.length }] : []
  })
}

/** Where the key's line that ends here begins, or here where there is none. */
function keyLineStart(text: string, end: number, least: number): number {
  const before = text.slice(Math.max(0, end - KEY_LINE_MAX), end)
  const feed = FEED.exec(before)
  if (feed === null) return end
  const rest = before.slice(0, feed.index)
  const escaped = rest.lastIndexOf('\\n')
  const line = rest.slice(Math.max(rest.lastIndexOf('\n') + 1, escaped === -1 ? 0 : escaped + 2))
  return line.length >= least && /^[A-Za-z0-9+/=]+$/.test(line) ? end - feed[0].length - line.length : end
}

const KEY_BLOCK_START =
  /-----BEGIN(?:[A-Z0-9 ]{0,60}-{0,5}$| [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?![\s\S]*-----END [A-Z0-9 ]{0,40}PRIVATE KEY))/

/** Where a key block begins that has not ended yet, its first line perhaps not whole, or -1. */
export function openKeyBlockAt(text: string): number {
  return text.includes('-----BEGIN') ? text.search(KEY_BLOCK_START) : -1
}
