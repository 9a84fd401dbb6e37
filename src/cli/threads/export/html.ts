import {
  describeTranscriptEntry,
  type EnsoTranscriptEntry,
  type EnsoTranscriptPart,
  isEnsoImageMimeType,
  jsonLine,
  providerReasonOf,
  providerRefusalClass,
} from '../../../core/index.js'
import { sanitize } from '../../print/sanitize.js'
import { toolTitle } from '../../print/tool-lines.js'
import { conversation, deniedCalls, exportFacts, exportTitle, type ExportedThread } from './document.js'
import { EXPORT_STYLE } from './html-style.js'

/** Nothing but the page's own style and the pictures inside it. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

/** Results longer than this are closed until somebody opens them. */
const OPEN_MAX_CHARS = 600

/** A thread as one page, piece by piece: no script, nothing from elsewhere, every text escaped. */
export function* htmlPieces(thread: ExportedThread): Generator<string> {
  const denied = deniedCalls(thread.entries)
  const title = escaped(exportTitle(thread))
  yield [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${title}</title>`,
    `<style>${EXPORT_STYLE}</style>`,
    '</head>',
    '<body>',
    `<h1>${title}</h1>`,
    '<dl>',
    ...exportFacts(thread).map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`),
    '</dl>',
    '<main>',
    '',
  ].join('\n')
  for (const entry of conversation(thread.entries)) {
    const html = entryHtml(entry, denied)
    if (html !== '') yield `${html}\n`
  }
  yield '</main>\n</body>\n</html>\n'
}

function entryHtml(entry: EnsoTranscriptEntry, denied: ReadonlyMap<string, string>): string {
  if (entry.kind === 'tool-result') {
    const rule = denied.get(entry.toolCallId)
    const state = rule !== undefined ? `refused by policy: ${rule}` : entry.isError ? 'failed' : 'result'
    const isBad = rule !== undefined || entry.isError
    return folded(`${entry.toolName}: ${state}`, entry.text, isBad ? 'result bad' : 'result')
  }
  if (entry.kind !== 'message') return `<p class="note">${escaped(describeTranscriptEntry(entry))}</p>`
  const { refusal } = entry
  const parts = entry.parts.map(partHtml)
  if (refusal !== undefined) {
    const why = `${providerRefusalClass(refusal)}: ${providerReasonOf(refusal.message)}`
    parts.push(`<p class="bad">${escaped(why)}</p>`)
  }
  const said = parts.filter((part) => part !== '').join('\n')
  if (said === '') return ''
  const at = entry.at === undefined ? '' : ` <time>${escaped(entry.at)}</time>`
  const name = entry.role === 'user' ? 'prompt' : 'reply'
  return `<section class="${name}"><h2>${name}${at}</h2>\n${said}\n</section>`
}

function partHtml(part: EnsoTranscriptPart): string {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? '' : `<div class="text">${escaped(part.text.trim())}</div>`
    case 'thinking':
      return part.thinking.trim() === '' ? '' : folded('thinking', part.thinking, 'thinking')
    case 'tool-call':
      return folded(`● ${toolTitle(part.toolName, part.args)}`, jsonLine(part.args), 'call')
    case 'image':
      return imageHtml(part)
    case 'other':
      return `<p class="note">${escaped(part.kind)}</p>`
  }
}

/** A picture inside the page, where it is of a kind that holds nothing but a picture. */
function imageHtml({ data, mimeType }: Extract<EnsoTranscriptPart, { type: 'image' }>): string {
  if (!isEnsoImageMimeType(mimeType) || !/^[A-Za-z0-9+/=]+$/.test(data)) {
    return `<p class="note">image, ${escaped(mimeType)}</p>`
  }
  return `<img alt="image of the thread" src="data:${mimeType};base64,${data}">`
}

function folded(summary: string, text: string, name: string): string {
  const open = name !== 'call' && name !== 'thinking' && text.length <= OPEN_MAX_CHARS ? ' open' : ''
  return `<details class="${name}"${open}><summary>${escaped(summary)}</summary><pre>${escaped(text.trimEnd())}</pre></details>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as HTML shows it and nothing else: escape sequences, controls and marks that reorder it are gone as well. */
function escaped(text: string): string {
  return sanitize(text).replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
}
