import { TextDecoder } from 'node:util'
import { convert } from 'html-to-text'
import { isTooDeep } from './html-depth.js'

/**
 * Characters that can't be seen and could carry text to the model that a person reading along would miss: controls,
 * marks of direction, joiners, fillers, variation selectors, tags.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]|[^\P{Cc}\t\n\r]/gu

const TEXT_TYPES = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)$|application\/xhtml\+xml$)/

/** What is read of a page: its bytes as far as they came, and what is needed to read them. */
export interface PageSource {
  readonly bytes: Buffer
  /** There was more. */
  readonly cut: boolean
  readonly contentType: string
  /** The page's address: links are shown whole. */
  readonly url: URL
}

/** Is this a type that is text? Anything else is refused by name. */
export function isTextType(contentType: string): boolean {
  return TEXT_TYPES.test(mediaType(contentType))
}

/**
 * The bytes as text a model can read: HTML reduced to its words and links, everything else as it is. `undefined` for
 * HTML that is nested too deep to be read.
 */
export function pageText({ bytes, cut, contentType, url }: PageSource): string | undefined {
  // A cut may go through a character: as a stream the decoder keeps its first half to itself.
  const whole = decoderOf(contentType).decode(bytes, { stream: cut })
  // Before HTML is read they would count as space, after it entities have become such characters: so twice.
  const text = whole.replace(INVISIBLE, '')
  const isHtml = /html/.test(mediaType(contentType)) || /^\s*<(?:!doctype html|html)\b/i.test(text)
  if (!isHtml) return text
  return isTooDeep(text) ? undefined : readableHtml(text, url).replace(INVISIBLE, '')
}

type PathRewrite = (path: string, metadata?: unknown) => string

function readableHtml(html: string, url: URL): string {
  return convert(html, {
    wordwrap: false,
    limits: { maxInputLength: undefined, maxDepth: 200 },
    selectors: [
      {
        selector: 'a',
        // The library hands the element on too; its types don't say so.
        options: { hideLinkHrefIfSameAsText: true, pathRewrite: linkOn(url) as PathRewrite },
      },
      { selector: 'img', format: 'skip' },
      { selector: 'script', format: 'skip' },
      { selector: 'style', format: 'skip' },
      { selector: 'noscript', format: 'skip' },
      { selector: 'template', format: 'skip' },
      { selector: 'svg', format: 'skip' },
      { selector: '[hidden]', format: 'skip' },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    ],
  })
}

/** Links as addresses of their own; '' for one within the page or to no page. */
function linkOn(page: URL): (href: string, metadata: unknown, element: { attribs?: { href?: string } }) => string {
  return (_rewritten, _metadata, { attribs }) => {
    const href = attribs?.href?.trim() ?? ''
    if (href === '' || href.startsWith('#')) return ''
    try {
      const link = new URL(href, page)
      return link.protocol === 'http:' || link.protocol === 'https:' ? link.href : ''
    } catch {
      return ''
    }
  }
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
