import type { PrintOutput } from './print-output.js'
import { createSanitizer } from './sanitize.js'

/** The assistant's words on standard output: one message after another, a blank line between them. */
export interface ReplyText {
  /** A message of some role began. */
  start(): void
  /** `contentIndex` tells the pieces of one message apart. */
  delta(contentIndex: number, text: string): void
  /** The message is complete. */
  end(): void
}

/** Writes a reply as it streams, made harmless, and leaves every message with a line feed at its end. */
export function createReplyText(output: Pick<PrintOutput, 'reply' | 'endReplyLine'>): ReplyText {
  let sanitizer = createSanitizer()
  let written = false
  let before = false
  let index: number | undefined

  const flush = (): void => {
    output.reply(sanitizer.end())
    if (written) output.endReplyLine()
  }
  return {
    start() {
      before ||= written
      sanitizer = createSanitizer()
      written = false
      index = undefined
    },
    delta(contentIndex, text) {
      if (index !== undefined && index !== contentIndex) flush()
      index = contentIndex
      const harmless = sanitizer.push(text)
      if (harmless === '') return
      if (!written && before) output.reply('\n')
      written = true
      output.reply(harmless)
    },
    end: flush,
  }
}
