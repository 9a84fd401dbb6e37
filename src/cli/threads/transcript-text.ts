import {
  describeTranscriptEntry,
  type EnsoTranscriptEntry,
  type EnsoTranscriptPart,
  providerReasonOf,
  providerRefusalClass,
  readEnsoGuardDenial,
} from '../../core/index.js'
import { expandTabs, fit } from '../print/layout.js'
import type { Palette } from '../print/palette.js'
import { sanitize, sanitizeLine } from '../print/sanitize.js'
import { toolTitle } from '../print/tool-lines.js'

/** Lines of a stored result, and of a thought, that are shown. */
const HEAD_LINES = 5
/** Characters that are looked at for them. */
const HEAD_CHARS = 64 * 1024
/** Entries that record the context for other views; they are no part of the conversation. */
const CONTEXT_RECORDS = /^enso-context/

/** How a transcript is set. */
export interface TranscriptOptions {
  readonly palette: Palette
  /** Columns a line of a call or a result may take; what people and models said is never cut. */
  readonly width: number
}

/**
 * A stored thread as text, block by block: prompts quoted, replies plain, thoughts, calls and results by their
 * beginnings, refusals of guards and providers, and what else stands in the branch in a line each. Harmless.
 */
export function* transcriptBlocks(
  entries: readonly EnsoTranscriptEntry[],
  { palette, width }: TranscriptOptions,
): Generator<string> {
  const rules = new Map<string, string>()
  for (const entry of entries) {
    const denial = entry.kind === 'custom' ? readEnsoGuardDenial(entry.customType, entry.data) : undefined
    if (denial !== undefined) rules.set(denial.toolCallId, denial.rule)
  }

  const head = (text: string): string[] => {
    const lines = sanitize(text.slice(0, HEAD_CHARS)).trim().split('\n')
    const shown = lines.slice(0, HEAD_LINES).map((line) => fit(`    ${expandTabs(line.trimEnd())}`, width).trimEnd())
    const hidden = Math.max(0, lines.length - HEAD_LINES) + linesBehind(text, HEAD_CHARS)
    return hidden === 0 ? shown : [...shown, `    … ${hidden} more line${hidden === 1 ? '' : 's'}`]
  }

  const partText = (part: EnsoTranscriptPart): string => {
    switch (part.type) {
      case 'text':
        return sanitize(part.text).trim()
      case 'thinking':
        return part.thinking.trim() === '' ? '' : palette.dim(['  (thinking)', ...head(part.thinking)].join('\n'))
      case 'tool-call':
        return `${palette.cyan('●')} ${fit(toolTitle(part.toolName, part.args), width - 2)}`
      case 'image':
        return `[image, ${sanitizeLine(part.mimeType)}]`
      case 'other':
        return palette.dim(`[${sanitizeLine(part.kind)}]`)
    }
  }

  const entryText = (entry: EnsoTranscriptEntry): string => {
    if (entry.kind === 'tool-result') {
      const rule = rules.get(entry.toolCallId)
      if (rule !== undefined) {
        const reason = sanitizeLine(entry.text.slice(0, HEAD_CHARS))
        return palette.red(fit(`    refused by policy: ${sanitizeLine(rule)} — ${reason}`, width * 3))
      }
      return (entry.isError ? palette.red : palette.dim)(head(entry.text).join('\n'))
    }
    if (entry.kind !== 'message') return otherText(entry)
    const text = entry.parts
      .map(partText)
      .filter((part) => part !== '')
      .join('\n')
    if (entry.refusal !== undefined) {
      const why = `${providerRefusalClass(entry.refusal)}: ${sanitizeLine(providerReasonOf(entry.refusal.message))}`
      return [text, palette.red(`✗ ${why}`)].join('\n').trim()
    }
    return entry.role === 'user' ? quoted(text, palette) : text
  }

  const otherText = (entry: EnsoTranscriptEntry): string => {
    if (entry.kind === 'custom' && (CONTEXT_RECORDS.test(entry.customType) || isDenial(entry))) return ''
    return palette.dim(fit(`  · ${sanitizeLine(describeTranscriptEntry(entry))}`, width))
  }

  let notes: string[] = []
  let begun = false
  for (const entry of entries) {
    const text = entryText(entry)
    if (text === '') continue
    const isNote = entry.kind === 'custom' || entry.kind === 'other'
    // What a thread was set to before anybody spoke is no news.
    if (isNote && begun) notes.push(text)
    if (isNote) continue
    begun = true
    if (notes.length > 0) yield notes.join('\n')
    notes = []
    yield text
  }
  if (notes.length > 0) yield notes.join('\n')
}

function isDenial(entry: Extract<EnsoTranscriptEntry, { kind: 'custom' }>): boolean {
  return readEnsoGuardDenial(entry.customType, entry.data) !== undefined
}

function quoted(text: string, palette: Palette): string {
  return text
    .split('\n')
    .map((line) => `${palette.green('>')} ${line}`.trimEnd())
    .join('\n')
}

function linesBehind(text: string, from: number): number {
  let lines = 0
  for (let at = text.indexOf('\n', from); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines > 0 && text.endsWith('\n') ? lines - 1 : lines
}
