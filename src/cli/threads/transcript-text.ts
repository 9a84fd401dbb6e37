import {
  describeTranscriptEntry,
  type EnsoTranscriptEntry,
  type EnsoTranscriptPart,
  providerReasonOf,
  providerRefusalClass,
  readEnsoGuardDenial,
} from '../../core/index.js'
import { plural } from '../../core/plural.js'
import { foldLines } from '../print/fold-lines.js'
import { expandTabs, fit } from '../print/layout.js'
import type { Palette } from '../print/palette.js'
import { sanitize, sanitizeLine } from '../print/sanitize.js'
import { createToolLines } from '../print/tool-lines.js'

/** Lines of a thought that are shown. */
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

/** Sets a transcript entry by entry, so that none has to be held. */
export interface TranscriptText {
  /** What an entry adds, with the blank line before it; nothing for many. Harmless. */
  entry(entry: EnsoTranscriptEntry): string
  /** What is left to be said behind the last entry. */
  end(): string
}

/**
 * A stored thread as text: prompts quoted, replies plain, thoughts by their beginnings, calls and results as a run shows
 * them, and what else stands in the branch in a line each.
 */
export function createTranscriptText({ palette, width }: TranscriptOptions): TranscriptText {
  let said: string[] = []
  const tools = createToolLines({ say: (lines) => said.push(lines), palette, width: () => width, fold: foldLines })
  let notes: string[] = []
  let begun = false
  // A result stands right under its call, and the next one under it.
  let isOpen = false

  const thought = (text: string): string => {
    const lines = sanitize(text.slice(0, HEAD_CHARS)).trim().split('\n')
    const shown = lines.slice(0, HEAD_LINES).map((line) => fit(`    ${expandTabs(line.trimEnd())}`, width).trimEnd())
    const hidden = Math.max(0, lines.length - HEAD_LINES) + linesBehind(text, HEAD_CHARS)
    const more = hidden === 0 ? [] : [`    … ${plural(hidden, 'more line')}`]
    return palette.dim(['  (thinking)', ...shown, ...more].join('\n'))
  }

  const sayPart = (part: EnsoTranscriptPart): void => {
    if (part.type === 'tool-call') tools.call({ kind: 'tool-call', ...callOf(part) })
    else if (part.type === 'image') said.push(`[image, ${sanitizeLine(part.mimeType)}]`)
    else if (part.type === 'other') said.push(palette.dim(`[${sanitizeLine(part.kind)}]`))
    else if (part.type === 'text') said.push(sanitize(part.text).trim())
    else if (part.thinking.trim() !== '') said.push(thought(part.thinking))
  }

  const sayMessage = (entry: Extract<EnsoTranscriptEntry, { kind: 'message' }>): void => {
    for (const part of entry.parts) sayPart(part)
    if (entry.role === 'user') said = [quoted(said.filter((text) => text !== '').join('\n'), palette)]
    if (entry.refusal === undefined) return
    const why = `${providerRefusalClass(entry.refusal)}: ${sanitizeLine(providerReasonOf(entry.refusal.message))}`
    said.push(palette.red(`✗ ${why}`))
  }

  const note = (entry: Extract<EnsoTranscriptEntry, { kind: 'custom' | 'other' }>): void => {
    const denial = entry.kind === 'custom' ? readEnsoGuardDenial(entry.customType, entry.data) : undefined
    if (denial !== undefined) return tools.denied(denial.toolCallId, denial.rule)
    if (entry.kind === 'custom' && CONTEXT_RECORDS.test(entry.customType)) return
    // What a thread was set to before anybody spoke is no news.
    if (begun) notes.push(palette.dim(fit(`  · ${sanitizeLine(describeTranscriptEntry(entry))}`, width)))
  }

  const block = (text: string, isUnder: boolean): string => {
    const gap = !begun || isUnder ? '' : '\n'
    begun = true
    return `${gap}${text}\n`
  }

  const noted = (): string => {
    const text = notes.length === 0 ? '' : block(notes.join('\n'), false)
    notes = []
    return text
  }

  return {
    entry(entry) {
      if (entry.kind === 'custom' || entry.kind === 'other') {
        note(entry)
        return ''
      }
      said = []
      if (entry.kind === 'message') sayMessage(entry)
      else tools.result({ complete: true, ...entry, kind: 'tool-result' })
      const text = said.filter((part) => part !== '').join('\n')
      if (text === '') return ''
      const isUnder = entry.kind === 'tool-result' && isOpen
      isOpen = entry.kind === 'tool-result' || entry.parts.at(-1)?.type === 'tool-call'
      const before = noted()
      return before + block(text, isUnder && before === '')
    },
    end: noted,
  }
}

function callOf({ toolCallId, toolName, args }: Extract<EnsoTranscriptPart, { type: 'tool-call' }>) {
  return { toolCallId, toolName, args }
}

function quoted(text: string, palette: Palette): string {
  if (text === '') return ''
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
