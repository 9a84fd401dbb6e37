import { Lexer, type Token } from 'marked'

/** One block of a text: a paragraph, a list, a table, some code. */
export interface TextBlock {
  /** As it was written; two blocks that read the same look the same. */
  readonly raw: string
  readonly type: 'code' | 'markdown' | 'plain'
  /** Of code. */
  readonly lang?: string
  readonly code?: string
}

/** A run of words longer than this is shown as it is: reading some texts takes the square of their length. */
const RUN_MAX = 8000

/** A block longer than this is shown as it is. */
const BLOCK_MAX = 100_000

/** The blocks of a text that is complete. */
export function blocksOf(text: string): TextBlock[] {
  const tokens = lexed(withPlainEnds(text))
  const targets = tokens.filter(({ type }) => type === 'def').map(({ raw }) => raw)
  const blocks = tokens.flatMap(blockOf)
  if (targets.length === 0) return blocks
  const behind = `\n\n${targets.join('\n')}`
  return blocks.map((block) => (block.type === 'markdown' ? { ...block, raw: block.raw + behind } : block))
}

/** Splits a text that grows: what stands before its last block stays as it is, so only the last is read again. */
export interface GrowingBlocks {
  /** All blocks of `text`, which begins with what was given before. */
  next(text: string): readonly TextBlock[]
}

export function createGrowingBlocks(): GrowingBlocks {
  let settled: TextBlock[] = []
  let from = 0
  let seen = 0

  function next(given: string): readonly TextBlock[] {
    const text = withPlainEnds(given)
    if (text.length < seen) {
      settled = []
      from = 0
    }
    seen = text.length
    if (text.length - from > BLOCK_MAX) return [...settled, { raw: text.slice(from, from + BLOCK_MAX), type: 'plain' }]
    const tokens = lexed(text.slice(from))
    const last = settledBefore(tokens)
    for (const token of tokens.slice(0, last)) {
      settled.push(...blockOf(token))
      from += token.raw.length
    }
    return [...settled, ...tokens.slice(last).flatMap(blockOf)]
  }
  return { next }
}

/** The beginning of a line may still turn out to go on with the block before it: `1` becomes `1. an item`. */
const BEGUN_MAX = 12

/** How many blocks at the beginning will stay as they are. */
function settledBefore(tokens: readonly Token[]): number {
  const last = tokens.findLastIndex(isShown)
  const raw = tokens[last]?.raw ?? ''
  if (last <= 0 || raw.length > BEGUN_MAX || raw.includes('\n')) return Math.max(0, last)
  return Math.max(0, tokens.slice(0, last).findLastIndex(isShown))
}

/** The reader counts one character an end of line. */
function withPlainEnds(text: string): string {
  return text.includes('\r') ? text.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : text
}

/** The blocks' borders; the words inside are not read yet. A text nested too deeply to be read is one plain block. */
function lexed(text: string): Token[] {
  try {
    return new Lexer({ gfm: true }).blockTokens(text, [])
  } catch {
    return [{ type: 'plain', raw: text }]
  }
}

function isShown({ type }: Token): boolean {
  return type !== 'space' && type !== 'def'
}

function blockOf(token: Token): TextBlock[] {
  const { raw } = token
  if (!isShown(token)) return []
  if (token.type === 'code') {
    const { text = '', lang = '' } = token as { text?: string; lang?: string }
    return [{ raw, type: 'code', lang: lang.trim().split(/\s/, 1)[0]!.toLowerCase(), code: text }]
  }
  const isPlain = token.type === 'plain' || raw.length > BLOCK_MAX || longestRun(token) > RUN_MAX
  return [{ raw, type: isPlain ? 'plain' : 'markdown' }]
}

interface Nested {
  readonly type?: string
  readonly raw?: string
  readonly text?: string
  readonly tokens?: readonly Nested[]
  readonly items?: readonly Nested[]
  /** Of a table; a cell only says whether it is in it. */
  readonly header?: readonly Nested[] | boolean
  readonly rows?: readonly (readonly Nested[])[]
}

/** The length of the longest piece of words in a block that is read in one go. */
function longestRun(token: Nested): number {
  const { tokens = [], items = [], header, rows = [] } = token
  const inside = [...tokens, ...items, ...(Array.isArray(header) ? header : []), ...rows.flat()]
  if (inside.length === 0) return token.type === 'code' ? 0 : (token.text ?? token.raw ?? '').length
  return Math.max(...inside.map(longestRun))
}
