import { TextDecoder } from 'node:util'
import { convert } from 'html-to-text'

/** Characters that can't be seen and could carry text to the model that a person reading along would miss. */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u00ad\u{e0000}-\u{e007f}]/gu

const TEXT_TYPES = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)$|application\/xhtml\+xml$)/

/** Is this a type that is text? Anything else is refused by name. */
export function isTextType(contentType: string): boolean {
  return TEXT_TYPES.test(mediaType(contentType))
}

/** The bytes as text a model can read: HTML reduced to its words and links, everything else as it is. */
export function pageText(bytes: Buffer, contentType: string): string {
  // Before the HTML is read they would count as space, after it entities have become such characters: so twice.
  const text = decoderOf(contentType).decode(bytes).replace(INVISIBLE, '')
  const isHtml = /html/.test(mediaType(contentType)) || /^\s*<(?:!doctype html|html)\b/i.test(text)
  return (isHtml ? readableHtml(text) : text).replace(INVISIBLE, '')
}

function readableHtml(html: string): string {
  return convert(html, {
    wordwrap: false,
    limits: { maxInputLength: undefined, maxDepth: 200 },
    selectors: [
      { selector: 'a', options: { ignoreHref: false, hideLinkHrefIfSameAsText: true } },
      { selector: 'img', format: 'skip' },
      { selector: 'script', format: 'skip' },
      { selector: 'style', format: 'skip' },
      { selector: 'noscript', format: 'skip' },
      { selector: 'template', format: 'skip' },
      { selector: 'svg', format: 'skip' },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    ],
  })
}

function mediaType(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase()
}

function decoderOf(contentType: string): InstanceType<typeof TextDecoder> {
  const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder()
  }
}
