import { Lexer, type Token } from 'marked'
import { plain } from '../model/plain.js'

/** Read blocks are kept up to so many characters of text: a row that comes back is not read again. */
const KEPT_MAX = 1_000_000

const kept = new Map<string, readonly Token[]>()
let size = 0

/** One block's parts, read once for each text. A block that can't be read is a paragraph of its text. */
export function tokensOf(raw: string): readonly Token[] {
  const before = kept.get(raw)
  if (before !== undefined) return before
  const tokens = read(plain(raw))
  kept.set(raw, tokens)
  size += raw.length
  for (const oldest of kept.keys()) {
    if (size <= KEPT_MAX) break
    kept.delete(oldest)
    size -= oldest.length
  }
  return tokens
}

function read(text: string): readonly Token[] {
  try {
    return Lexer.lex(text, { gfm: true })
  } catch {
    return [{ type: 'paragraph', raw: text, text, tokens: [{ type: 'text', raw: text, text }] }]
  }
}
