import {
  describeTranscriptEntry,
  type EnsoTranscriptEntry,
  type EnsoTranscriptPart,
  jsonLine,
  providerReasonOf,
  providerRefusalClass,
} from '../../../core/index.js'
import { sanitize, sanitizeLine } from '../../print/sanitize.js'
import { toolTitle } from '../../print/tool-lines.js'
import { conversation, deniedCalls, exportFacts, exportTitle, type ExportedThread } from './document.js'

/** A thread as Markdown, piece by piece. Nothing in it is loaded from elsewhere when it is shown. */
export function* markdownPieces(thread: ExportedThread): Generator<string> {
  const denied = deniedCalls(thread.entries)
  yield `# ${inert(sanitizeLine(exportTitle(thread)))}\n\n`
  yield `${exportFacts(thread)
    .map(([name, value]) => `- **${name}** ${inert(sanitizeLine(value))}`)
    .join('\n')}\n`
  for (const entry of conversation(thread.entries)) {
    const text = entryText(entry, denied)
    if (text !== '') yield `\n${text}\n`
  }
}

function entryText(entry: EnsoTranscriptEntry, denied: ReadonlyMap<string, string>): string {
  if (entry.kind === 'tool-result') {
    const rule = denied.get(entry.toolCallId)
    const state = rule !== undefined ? `refused by policy: ${rule}` : entry.isError ? 'failed' : 'result'
    return `**${inert(sanitizeLine(entry.toolName))}** ${inert(sanitizeLine(state))}\n\n${fenced(entry.text)}`
  }
  if (entry.kind !== 'message') return `*${inert(sanitizeLine(describeTranscriptEntry(entry)))}*`
  const { refusal } = entry
  const parts = entry.parts.map(partText)
  if (refusal !== undefined) {
    parts.push(
      `**refused** ${providerRefusalClass(refusal)}: ${inert(sanitizeLine(providerReasonOf(refusal.message)))}`,
    )
  }
  const said = parts.filter((part) => part !== '').join('\n\n')
  if (said === '') return ''
  const at = entry.at === undefined ? '' : ` · ${sanitizeLine(entry.at)}`
  return `## ${entry.role === 'user' ? 'Prompt' : 'Reply'}${at}\n\n${said}`
}

function partText(part: EnsoTranscriptPart): string {
  switch (part.type) {
    case 'text':
      return prose(sanitize(part.text).trim())
    case 'thinking':
      return part.thinking.trim() === '' ? '' : `*thinking*\n\n${fenced(part.thinking)}`
    case 'tool-call':
      return `● **${inert(toolTitle(part.toolName, part.args))}**\n\n${fenced(jsonLine(part.args), 'json')}`
    case 'image':
      return `*image, ${inert(sanitizeLine(part.mimeType))}*`
    case 'other':
      return `*${inert(sanitizeLine(part.kind))}*`
  }
}

/** A text as it is, in a fence that nothing in it can close. */
function fenced(text: string, language = ''): string {
  const body = sanitize(text).replace(/\n+$/, '')
  const longest = Math.max(2, ...[...body.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${body}\n${fence}`
}

/** Prose with its own Markdown, in which no HTML and no picture from elsewhere takes effect. Code is left alone. */
function prose(text: string): string {
  let open: string | undefined
  return text
    .split('\n')
    .map((line) => {
      const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
      if (fence !== undefined && (open === undefined || fence.startsWith(open))) {
        open = open === undefined ? fence : undefined
        return line
      }
      return open === undefined ? inert(line) : line
    })
    .join('\n')
    .concat(open === undefined ? '' : `\n${open}`)
}

/** One line in which markup of others does nothing, outside its code spans. */
function inert(line: string): string {
  return line
    .split(/(`+[^`]+`+)/)
    .map((piece, index) =>
      index % 2 === 1 ? piece : piece.replace(/<(?=[a-z!/?])/gi, '&lt;').replaceAll('![', '!\\['),
    )
    .join('')
}
