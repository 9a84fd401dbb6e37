import type { EnsoToolResultDescriptor } from '../../core/index.js'
import { plural } from '../../core/plural.js'
import { count } from './layout.js'
import { sanitizeLine } from './sanitize.js'

/** Sources and answers that are shown; the rest is counted. */
const MOST_LINES = 5

/** What a result's descriptor says of it. */
export interface DescribedResult {
  /** Shown first. Harmless. */
  readonly lines: readonly string[]
  /** Whether the text's head is shown behind them. */
  readonly showsText: boolean
}

type Props = Readonly<Record<string, unknown>>
type Describe = (props: Props) => DescribedResult | undefined

/** What the text surface says of a successful result by its kind; `undefined` for a kind whose text says it best. */
export function describedResult({ kind, props }: EnsoToolResultDescriptor): DescribedResult | undefined {
  return Object.hasOwn(KINDS, kind) ? KINDS[kind]?.(props) : undefined
}

const KINDS: Readonly<Record<string, Describe>> = {
  read: ({ lines, image, offset }) => {
    if (image === true) return { lines: ['an image'], showsText: false }
    if (typeof lines !== 'number' || typeof offset !== 'number') return undefined
    return { lines: [`${plural(lines, 'line')} from line ${offset}`], showsText: true }
  },
  grep: ({ matches, limitReached }) => counted(matches, 'match', 'matches', limitReached),
  find: ({ paths, limitReached }) => counted(paths, 'path', 'paths', limitReached),
  ls: ({ entries, limitReached }) => counted(entries, 'entry', 'entries', limitReached),
  web_fetch: ({ status, contentType, bytes, cut, asked, url }) => {
    if (typeof status !== 'number' || typeof bytes !== 'number') return undefined
    const facts = [`HTTP ${status}`, line(contentType), `${count(bytes)} bytes`, cut === true ? 'cut' : '']
    const from = typeof asked === 'string' ? [`from ${line(url)}`] : []
    return { lines: [facts.filter((fact) => fact !== '').join(', '), ...from], showsText: false }
  },
  web_search: ({ backend, sources, usage }) => {
    if (!Array.isArray(sources)) return undefined
    const found = sources.map((source) => sourceLine((source ?? {}) as Props))
    const head = `${plural(found.length, 'source')} by ${line(backend)}${spentText((usage ?? {}) as Props)}`
    return { lines: [head, ...firstOf(found)], showsText: false }
  },
  ask_user: ({ outcome, questions, answers }) => {
    if (outcome !== 'answered' || !Array.isArray(questions) || !Array.isArray(answers)) return undefined
    const asked = questions.map((question, at) => answerLine((question ?? {}) as Props, (answers[at] ?? {}) as Props))
    return { lines: firstOf(asked), showsText: false }
  },
}

const line = (value: unknown): string => (typeof value === 'string' ? sanitizeLine(value) : '')

function counted(amount: unknown, one: string, many: string, limitReached: unknown): DescribedResult | undefined {
  if (typeof amount !== 'number') return undefined
  const more = limitReached === true ? ', and more: the limit was reached' : ''
  return { lines: [plural(amount, one, many) + more], showsText: amount > 0 }
}

/** What a search took beside the run's own tokens. */
function spentText({ input, output }: Props): string {
  return typeof input === 'number' && typeof output === 'number' ? `, ${count(input)} in, ${count(output)} out` : ''
}

function sourceLine({ title, url }: Props): string {
  return line(title) === '' ? line(url) : `${line(title)} — ${line(url)}`
}

function answerLine({ header }: Props, { selected, other }: Props): string {
  const chosen = Array.isArray(selected) ? selected.map(line) : []
  return `${line(header)}: ${[...chosen, ...(typeof other === 'string' ? [`"${line(other)}"`] : [])].join(', ')}`
}

function firstOf(lines: readonly string[]): string[] {
  const left = lines.length - MOST_LINES
  return left > 0 ? [...lines.slice(0, MOST_LINES), `… ${left} more`] : [...lines]
}
