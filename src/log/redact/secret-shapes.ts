import type { TextSpan } from './needle-search.js'

/**
 * Text that is a secret by its look alone, whoever it belongs to. Narrow on purpose: a long run of letters and digits
 * is as often a path or an id, so each shape has a mark that nothing else has.
 *
 * A group named `keep` is what stays in front of the marker.
 */
const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  /\bsk-(?=[A-Za-z_-]{0,100}\d)[A-Za-z0-9_-]{16,}/g,
  /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{20,})/g,
  /\b(?:xox[abeprs]-[A-Za-z0-9-]{10,}|npm_[A-Za-z0-9]{36}|AIza[A-Za-z0-9_-]{35}|(?:AKIA|ASIA)[A-Z0-9]{16})\b/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  /(?<keep>\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'\\]{0,256}:)[^\s/@"'\\]{1,1024}(?=@)/gi,
  /(?<keep>\b(?:[Bb]earer|[Bb]asic|BEARER|BASIC)[ \t]+)[A-Za-z0-9._~+/=-]{16,}/g,
]

/** What a text must hold for any shape to be in it; one cheap look decides for most records. */
const HINT =
  /PRIVATE KEY|sk-|gh[pousr]_|github_pat_|glpat-|xox|npm_|AIza|AKIA|ASIA|eyJ|:\/\/|[Bb]earer|[Bb]asic|BEARER|BASIC/

/** Could a secret's shape be in this text (or in a value serialised as it)? */
export function mayHoldShape(text: string): boolean {
  return HINT.test(text)
}

/** The places of shapes in a text; they may overlap. */
export function shapeSpans(text: string): readonly TextSpan[] {
  if (text.length < 8 || !HINT.test(text)) return []
  return SHAPES.flatMap((shape) =>
    [...text.matchAll(shape)].map((match) => ({
      start: match.index + (match.groups?.['keep']?.length ?? 0),
      end: match.index + match[0].length,
    })),
  )
}

const KEY_BLOCK_START =
  /-----BEGIN(?:[A-Z0-9 ]{0,60}-{0,5}$| [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?![\s\S]*-----END [A-Z0-9 ]{0,40}PRIVATE KEY))/

/** Where a key block begins that has not ended yet, its first line perhaps not whole, or -1. */
export function openKeyBlockAt(text: string): number {
  return text.includes('-----BEGIN') ? text.search(KEY_BLOCK_START) : -1
}
