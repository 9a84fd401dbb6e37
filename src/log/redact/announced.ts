import type { TextSpan } from './needle-search.js'

// A secret of unknown value and shape, told by the name in front of it: an environment printed as text, a configuration
// file, a header, a query, an option. Only the value goes; a name alone, code and plain words stay.
const WORD =
  '(?:api[-_ ]?key|(?:access|private|secret|signing)[-_]?key|token|secret|passw(?:or)?d|passphrase|credential)'
const VALUE = '(?<value>[^\\s"\'`\\\\,;&<>(){}\\[\\]|]{8,1024})'
/** Between a name and its value there may be quotes, escaped where the text is quoted itself. */
const QUOTE = '\\\\{0,3}["\']?'

const ANNOUNCED: readonly RegExp[] = [
  new RegExp(`${WORD}[\\w-]{0,32}${QUOTE}[ \\t]{0,3}(?:=>|[=:])[ \\t]{0,3}${QUOTE}${VALUE}`, 'gid'),
  new RegExp(`\\bauthorization${QUOTE}[ \\t]{0,3}[=:][ \\t]{0,3}${QUOTE}(?:[a-z]{2,16} +)?${VALUE}`, 'gid'),
  new RegExp(
    `\\bcookie${QUOTE}[ \\t]{0,3}:[ \\t]{0,3}${QUOTE}(?<value>[^\\r\\n"'\\\\=]{1,256}=[^\\r\\n"'\\\\]{8,4096})`,
    'gid',
  ),
  new RegExp(`[?&](?:[\\w-]{0,32}-)?sig(?:nature)?=${VALUE}`, 'gid'),
  new RegExp(`(?<![\\w-])--?[\\w-]{0,32}?${WORD}[\\w-]{0,32} +${QUOTE}${VALUE}`, 'gid'),
  new RegExp(`[ \\t](?:-u|--user)[ =]${QUOTE}[^\\s:"'\\\\]{0,128}:${VALUE}`, 'gid'),
  new RegExp(`\\bmachine\\s{1,9}\\S{1,256}\\s{1,9}(?:login\\s{1,9}\\S{1,256}\\s{1,9})?password\\s{1,9}${VALUE}`, 'gid'),
]

const HINT =
  /(?:key|token|secret|passw|passphrase|credential|authorization|cookie|signature|bearer|basic|[?&]sig|-u|-user)[\w-]{0,32}\\{0,3}["']?[ \t]{0,3}[=: \t\\]/i

/** Could a name or a scheme announce a secret in this text (or in a value serialised as it)? */
export function mayAnnounce(text: string): boolean {
  return HINT.test(text)
}

/** A secret's place, and where what tells of it begins. */
export interface AnnouncedSpan extends TextSpan {
  readonly from?: number
}

/** The places of values that a name in front of them says are secret; they may overlap. */
export function announcedSpans(text: string): readonly AnnouncedSpan[] {
  if (!HINT.test(text)) return []
  const spans: AnnouncedSpan[] = []
  for (const pattern of ANNOUNCED) {
    pattern.lastIndex = 0
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const [start, end] = match.indices?.groups?.['value'] ?? [0, 0]
      if (looksSecret(text.slice(start, end)) && !/[([]/.test(text.charAt(end)))
        spans.push({ start, end, from: match.index })
      // What is no secret may be the name of one.
      else pattern.lastIndex = start
    }
  }
  return spans
}

/** A place, a variable or an expression is where a secret is, not what it is. */
const REFERENCE =
  /^[/.~$<*%@]|:\/\/|^(?:process|import|globalThis|os|env|self|this|config|options|args|secrets|vars)\./i

function looksSecret(value: string): boolean {
  return /[A-Za-z]/.test(value) && /[\d!#$%^*+=~]/.test(value) && !REFERENCE.test(value)
}

const OPEN = new RegExp(
  `(?:${WORD}[\\w-]{0,32}|\\b(?:authorization|cookie)|[ \\t](?:-u|--user))${QUOTE}[ \\t]{0,3}(?:=>|[=:])?[ \\t]{0,3}${QUOTE}(?:(?:bearer|basic|token)[ \\t]+)?\\S*$`,
  'i',
)

/** Where a name stands at the end of a text whose value may still come, or -1. */
export function openAnnouncementAt(text: string): number {
  return text.search(OPEN)
}
