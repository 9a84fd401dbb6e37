/** Makes text of unknown origin harmless for a terminal, piece by piece. */
export interface Sanitizer {
  /** The harmless text of one more piece. What may be the beginning of a sequence is kept for the next one. */
  push(text: string): string
  /** What was kept, made visible. */
  end(): string
}

/** A sequence longer than this is none: it is shown instead of swallowing what follows. */
const MAX_CSI = 64
const MAX_STRING = 4096

/** Everything that must not pass, and a surrogate or a return at the end, which the next piece decides about. */
// oxlint-disable-next-line no-control-regex
const SUSPECT = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|[\ud800-\udbff]$/

/** Marks that reorder or hide what is around them. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/** Eight-bit introducers that some terminals still obey. */
const C1_CSI = '\x9b'
const C1_STRINGS = '\x90\x98\x9d\x9e\x9f'
const C1_STRING_END = '\x9c'

/** A single control character as something to see. */
function visible(char: string): string {
  const code = char.charCodeAt(0)
  if (char === '\n' || char === '\t') return char
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  if (code >= 0x80 && code <= 0x9f) return '\ufffd'
  return BIDI.test(char) ? '' : char
}

type State = 'text' | 'escape' | 'charset' | 'csi' | 'string' | 'string-escape'

/**
 * A sanitizer for one stream of text: escape sequences are taken out whole, other control characters become visible
 * signs, a carriage return a line feed, and marks that reorder text go. Line feeds and tabs pass.
 */
export function createSanitizer(): Sanitizer {
  let state: State = 'text'
  let held = ''
  let returned = false
  let surrogate = ''
  let out = ''

  /** The held characters are no sequence after all. */
  const release = (): void => {
    for (const char of held) out += visible(char)
    held = ''
    state = 'text'
  }
  const drop = (): void => {
    held = ''
    state = 'text'
  }
  const hold = (next: State, char: string): void => {
    held += char
    state = next
  }

  const text = (char: string): void => {
    if (returned) {
      returned = false
      out += '\n'
      if (char === '\n') return
    }
    if (char === '\r') returned = true
    else if (char === '\x1b') hold('escape', char)
    else if (char === C1_CSI) hold('csi', char)
    else if (C1_STRINGS.includes(char)) hold('string', char)
    else out += visible(char)
  }

  /** One character within a sequence; false when it ends none and must be looked at as text. */
  const sequence = (char: string): boolean => {
    const code = char.charCodeAt(0)
    if (state === 'escape') {
      if (char === '[') hold('csi', char)
      else if (']PX^_'.includes(char)) hold('string', char)
      else if (code >= 0x20 && code <= 0x2f) hold('charset', char)
      else if (code >= 0x30 && code <= 0x7e) drop()
      else return false
      return true
    }
    if (state === 'charset' || state === 'csi') {
      if (code >= (state === 'csi' ? 0x40 : 0x30) && code <= 0x7e) drop()
      else if (code >= 0x20 && code <= 0x3f && held.length < MAX_CSI) hold(state, char)
      else return false
      return true
    }
    if (char === '\x07' || char === C1_STRING_END || (state === 'string-escape' && char === '\\')) drop()
    else if (state === 'string-escape' || char === '\n' || held.length >= MAX_STRING) return false
    else hold(char === '\x1b' ? 'string-escape' : 'string', char)
    return true
  }

  const take = (char: string): void => {
    if (state === 'text') return text(char)
    if (sequence(char)) return
    // The escape that did not end a string may begin a sequence of its own.
    const reopened = state === 'string-escape'
    if (reopened) held = held.slice(0, -1)
    release()
    if (reopened) hold('escape', '\x1b')
    take(char)
  }

  return {
    push(piece) {
      if (state === 'text' && !returned && surrogate === '' && !SUSPECT.test(piece)) return piece
      out = ''
      let rest = surrogate + piece
      surrogate = ''
      if (/[\ud800-\udbff]$/.test(rest)) {
        surrogate = rest.slice(-1)
        rest = rest.slice(0, -1)
      }
      for (const char of rest) take(char)
      return out
    },
    end() {
      out = ''
      if (returned) out += '\n'
      returned = false
      release()
      if (surrogate !== '') out += '\ufffd'
      surrogate = ''
      return out
    },
  }
}

/** A whole text made harmless. */
export function sanitize(text: string): string {
  if (!SUSPECT.test(text)) return text
  const sanitizer = createSanitizer()
  return sanitizer.push(text) + sanitizer.end()
}

/** A text as one harmless line: white space is folded, and it is never empty of meaning by line feeds. */
export function sanitizeLine(text: string): string {
  return sanitize(text).replace(/\s+/g, ' ').trim()
}
