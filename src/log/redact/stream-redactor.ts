import { ENSO_REDACTED_VALUE } from '../../core/log.js'
import type { KnownSecrets } from './known-secrets.js'
import { type AnnouncedSpan, openAnnouncementAt } from './announced.js'
import { mayHide } from './hiders.js'
import { secretSpans } from './redact-text.js'
import type { Redactor } from './redactor.js'
import { openKeyBlockAt, shapeSpans } from './secret-shapes.js'

/** One stream of text that comes in pieces: a secret that two pieces share is found all the same. */
export interface StreamRedactor {
  /** Takes a piece and gives back the text that is settled: nothing that comes later can make it part of a secret. */
  push(chunk: string): string
  /** The rest. Call it on every way the stream can end; the redactor is then ready for another stream. */
  end(): string
}

/** A run without a blank that is longer than this is let go: no token is, and a stream must not be held for ever. */
const MAX_HELD_WORD = 4096
/** An unfinished key block longer than this is replaced as it stands, and the stream swallowed until the block's end. */
const MAX_HELD_BLOCK = 65_536
const BLOCK_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/

/** A redactor for one stream. Make one per stream: pieces of two streams must not meet. */
export function createStreamRedactor(redactor: Redactor): StreamRedactor {
  let held = ''
  let insideBlock = false

  const push = (chunk: string): string => {
    held += chunk
    if (insideBlock) {
      const end = BLOCK_END.exec(held)
      if (end === null) {
        held = held.slice(-128)
        return ''
      }
      insideBlock = false
      held = held.slice(end.index + end[0].length)
    }
    const settled = settledLength(held, redactor.secrets)
    const out = redactor.text(held.slice(0, settled))
    held = held.slice(settled)
    if (held.length <= MAX_HELD_BLOCK || openKeyBlockAt(held) !== 0) return out
    insideBlock = true
    held = held.slice(-128)
    return out + ENSO_REDACTED_VALUE
  }

  return {
    push,
    end() {
      const rest = insideBlock ? '' : redactor.text(held)
      held = ''
      insideBlock = false
      return rest
    },
  }
}

/** How much of the text can be let go: what is cut off is judged again together with what follows. */
function settledLength(text: string, secrets: KnownSecrets): number {
  const longest = secrets.search().longest
  // What hides inside a match stretches it beyond its own length.
  const reach = mayHide(text) ? 4 * longest : longest - 1
  const opening = openKeyBlockAt(text)
  const cut = Math.min(text.length - Math.max(reach, 0), opening < 0 ? text.length : opening)
  const start = Math.max(0, Math.min(wordStart(text, Math.max(0, cut)), announcementStart(text)))
  // Nothing that is found may be cut in two, however far back it begins.
  const begins = [...secretSpans(text, secrets), ...shapeSpans(text)]
    .map((span: AnnouncedSpan) => ({ from: span.from ?? span.start, end: span.end }))
    .filter(({ from, end }) => from < start && start < end)
  return Math.min(start, ...begins.map(({ from }) => from))
}

/** Where a name begins whose secret may still come; the text's end where there is none. */
function announcementStart(text: string): number {
  const from = Math.max(0, text.length - MAX_HELD_WORD)
  const found = openAnnouncementAt(text.slice(from))
  return found === -1 ? text.length : from + found
}

const LAST_WORD = /(?:\b(?:bearer|basic)[ \t]+)?\S*$/i

/** Where the word around `cut` begins, unless it is too long to be a token; a scheme and its token count as one word. */
function wordStart(text: string, cut: number): number {
  const before = text.slice(Math.max(0, cut - MAX_HELD_WORD), cut)
  const word = LAST_WORD.exec(before)?.[0] ?? ''
  return word.length >= MAX_HELD_WORD ? cut : cut - word.length
}
