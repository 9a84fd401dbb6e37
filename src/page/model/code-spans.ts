import { withoutEntities } from './entities.js'

/** A piece of code of one colour; `kind` is the highlighter's class, empty for plain words. */
export interface CodeSpan {
  readonly kind: string
  readonly text: string
}

/**
 * A highlighter's markup as pieces of text. Only its own spans are read; the classes of a piece are those of the span
 * around it, and whatever else stands there is text.
 */
export function codeSpans(html: string): CodeSpan[] {
  const spans: CodeSpan[] = []
  const open: string[] = []
  let from = 0
  const push = (to: number): void => {
    if (to > from) spans.push({ kind: open.at(-1) ?? '', text: withoutEntities(html.slice(from, to)) })
  }
  for (const found of html.matchAll(/<span class="([\w -]*)">|<\/span>/g)) {
    push(found.index)
    from = found.index + found[0].length
    if (found[1] === undefined) open.pop()
    else open.push(found[1])
  }
  push(html.length)
  return spans
}
