import { createMarkdownStyle, type MarkdownStyle } from './markdown-style.js'
import type { PrintOutput } from './print-output.js'
import { createSanitizer } from './sanitize.js'

/** The assistant's words on standard output: one message after another, a blank line between them. */
export interface ReplyText {
  /** A message of some role began. */
  start(): void
  /** `contentIndex` tells the pieces of one message apart. */
  delta(contentIndex: number, text: string): void
  /** Writes what of a message has not been written, whose text by piece is `texts`. */
  catchUp(texts: ReadonlyMap<number, string>): void
  /** The message is complete. */
  end(): void
}

const PLAIN: MarkdownStyle = { push: (text) => text, end: () => '' }

/**
 * Writes a reply as it streams, made harmless, and leaves every message with a line feed at its end. Where it is
 * coloured, its Markdown stands out.
 */
export function createReplyText(output: Pick<PrintOutput, 'reply' | 'endReplyLine'>, coloured: boolean): ReplyText {
  let sanitizer = createSanitizer()
  let style = coloured ? createMarkdownStyle() : PLAIN
  let written = false
  let before = false
  let index: number | undefined
  /** What has been taken of the message, by piece. */
  let taken = new Map<number, string>()

  const flush = (): void => {
    output.reply(style.push(sanitizer.end()) + style.end())
    if (written) output.endReplyLine()
  }
  function start(): void {
    before ||= written
    sanitizer = createSanitizer()
    if (coloured) style = createMarkdownStyle()
    written = false
    index = undefined
    taken = new Map()
  }
  function delta(contentIndex: number, text: string): void {
    if (index !== undefined && index !== contentIndex) flush()
    index = contentIndex
    taken.set(contentIndex, (taken.get(contentIndex) ?? '') + text)
    const harmless = sanitizer.push(text)
    if (harmless === '') return
    if (!written && before) output.reply('\n')
    written = true
    output.reply(style.push(harmless))
  }
  return {
    start,
    delta,
    catchUp(texts) {
      if ([...taken].some(([piece, text]) => !(texts.get(piece) ?? '').startsWith(text))) {
        flush()
        start()
      }
      for (const [piece, text] of texts) {
        const rest = text.slice(taken.get(piece)?.length ?? 0)
        if (rest !== '') delta(piece, rest)
      }
    },
    end: flush,
  }
}
