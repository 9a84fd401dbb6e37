// What a line of our own writer looks like, so that readers can tell some things of it without parsing it:
// {"@timestamp":"2030-01-01T10:00:00.000Z","level":"INFO","message":"…","logger":"…","properties":{…,"process":"cli","pid":7}}
/** How each line begins. */
export const LINE_BEGIN = Buffer.from('{"@timestamp":"')
const TIME_LENGTH = 24
const LEVEL_KEY = Buffer.from('","level":"')
const MESSAGE_KEY = Buffer.from('","message":"')
/** Where the time begins, counted from the line's beginning. */
export const TIME_AT = LINE_BEGIN.length
/** Where the level's name begins. */
export const LEVEL_AT = TIME_AT + TIME_LENGTH + LEVEL_KEY.length

const QUOTE = 0x22
const BACKSLASH = 0x5c
const CLOSING_BRACE = 0x7d
/** Templates are short; a longer message is parsed with its line. */
const MAX_TEMPLATE_BYTES = 256
const MAX_TEMPLATES = 1000

/** Does the line begin and end as our own writer's do? Nothing is said of what is between. */
export function hasOurForm(buffer: Buffer, start: number, end: number): boolean {
  return (
    end - start > LEVEL_AT &&
    buffer[end - 1] === CLOSING_BRACE &&
    isAt(buffer, start, LINE_BEGIN) &&
    isAt(buffer, start + TIME_AT + TIME_LENGTH, LEVEL_KEY)
  )
}

/** When a line of our form was written, as it says. */
export function timeOfLine(buffer: Buffer, start: number): string {
  return buffer.toString('latin1', start + TIME_AT, start + TIME_AT + TIME_LENGTH)
}

/** Was a line of our form written before the instant (ISO, UTC, milliseconds)? */
export function isLineBefore(buffer: Buffer, start: number, instant: Buffer): boolean {
  return buffer.compare(instant, 0, instant.length, start + TIME_AT, start + TIME_AT + TIME_LENGTH) < 0
}

/** Do these bytes stand here? Shorter than a call out of the language for the few bytes that are compared. */
export function isAt(buffer: Buffer, at: number, bytes: Buffer): boolean {
  for (let i = 0; i < bytes.length; i++) if (buffer[at + i] !== bytes[i]) return false
  return true
}

/** Something known of each message, for the few messages that many lines have. */
export interface TemplateTable<T> {
  /** Of the message of a line in our form; nothing where the line has none that can be told. */
  of(buffer: Buffer, start: number, end: number): T | undefined
}

interface Known<T> {
  readonly bytes: Buffer
  readonly value: T
}

/** A table that asks once for each message, given as it is, unescaped. */
export function createTemplateTable<T>(judge: (template: string) => T): TemplateTable<T> {
  const byHash = new Map<number, Known<T>[]>()
  let size = 0

  const find = (buffer: Buffer, from: number, to: number, hash: number): T | undefined => {
    const known = byHash.get(hash) ?? []
    for (const { bytes, value } of known) if (bytes.length === to - from && isAt(buffer, from, bytes)) return value
    if (size >= MAX_TEMPLATES) return undefined
    const bytes = Buffer.from(buffer.subarray(from, to))
    const template = parsedText(bytes)
    if (template === undefined) return undefined
    size++
    const value = judge(template)
    byHash.set(hash, [...known, { bytes, value }])
    return value
  }

  return {
    of(buffer, start, end) {
      const from = messageAt(buffer, start)
      if (from === -1) return undefined
      const limit = Math.min(end, from + MAX_TEMPLATE_BYTES)
      let hash = 0
      for (let at = from; at < limit; at++) {
        const byte = buffer[at] ?? 0
        if (byte === QUOTE) return find(buffer, from, at, hash)
        hash = (Math.imul(hash, 31) + byte) | 0
        if (byte === BACKSLASH) at++
      }
      return undefined
    },
  }
}

const LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'].map((name) => Buffer.from(name))

/** Where the message's text begins, or -1. */
function messageAt(buffer: Buffer, start: number): number {
  const letter = buffer[start + LEVEL_AT]
  for (const level of LEVELS) {
    if (level[0] !== letter) continue
    const at = start + LEVEL_AT + level.length
    return isAt(buffer, start + LEVEL_AT, level) && isAt(buffer, at, MESSAGE_KEY) ? at + MESSAGE_KEY.length : -1
  }
  return -1
}

function parsedText(bytes: Buffer): string | undefined {
  try {
    return JSON.parse(`"${bytes.toString('utf8')}"`) as string
  } catch {
    // A line that was damaged there: whoever parses it will see.
    return undefined
  }
}

/**
 * Tells lines without a needle, for lines in the order of their buffer: the buffer is searched from hit to hit, so that
 * most lines cost a comparison.
 */
export function createAbsence(needle: Buffer): (buffer: Buffer, start: number, end: number) => boolean {
  let searched: Buffer | undefined
  let lastEnd = 0
  let hit = 0
  return (buffer, start, end) => {
    const anew = buffer !== searched || start < lastEnd
    searched = buffer
    lastEnd = end
    if (anew || (hit !== -1 && hit < start)) hit = buffer.indexOf(needle, start)
    return hit === -1 || hit >= end
  }
}
