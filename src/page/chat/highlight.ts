import { codeSpans, type CodeSpan } from '../model/code-spans.js'

/** Longer code is shown without colours. */
const COLOURED_MAX = 40_000
/** Pieces of code that are kept coloured. */
const KEPT = 300

type Colour = (code: string, lang: string) => string | undefined

let loading: Promise<Colour> | undefined
const made = new Map<string, readonly CodeSpan[]>()

/** Code with its words told apart, or nothing where its language is not known. Loads the colourer on first use. */
export async function highlight(code: string, lang: string): Promise<readonly CodeSpan[] | undefined> {
  if (lang === '' || code.length > COLOURED_MAX) return undefined
  const key = `${lang}\n${code}`
  const before = made.get(key)
  if (before !== undefined) return before
  loading ??= import('./highlighter.js').then(({ colour }) => colour)
  const html = (await loading)(code, lang)
  if (html === undefined) return undefined
  const spans = codeSpans(html)
  if (made.size > KEPT) made.clear()
  made.set(key, spans)
  return spans
}

/** What was coloured before, at once. */
export function highlightedBefore(code: string, lang: string): readonly CodeSpan[] | undefined {
  return made.get(`${lang}\n${code}`)
}
