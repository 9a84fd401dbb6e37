import type { ExtensionUIContext } from '@mariozechner/pi-coding-agent'
import type { EnsoQuestion, EnsoQuestionAnswer, EnsoQuestionnaireResult } from '../../../core/index.js'

const OTHER = 'Other (in your own words)'
const DONE = '✓ Done'

type PlainUi = Pick<ExtensionUIContext, 'select' | 'input'>

/**
 * Asks one plain question after another, for a host that can't show a questionnaire. A question of several choices is
 * a list whose entries switch on and off until it is closed. Dismissing any of them declines the whole.
 */
export async function askPlainly(
  ui: PlainUi,
  questions: readonly EnsoQuestion[],
  signal: AbortSignal | undefined,
): Promise<EnsoQuestionnaireResult> {
  const answers: EnsoQuestionAnswer[] = []
  for (const question of questions) {
    const answer = question.multiSelect ? await askMany(ui, question, signal) : await askOne(ui, question, signal)
    if (answer === undefined || signal?.aborted) return { cancelled: true }
    answers.push(answer)
  }
  return { answers }
}

/** A choice as a row, and the label it stands for: descriptions are part of what is decided on. */
function rowsOf({ options }: EnsoQuestion): Map<string, string> {
  return new Map(options.map(({ label, description }) => [description ? `${label}: ${description}` : label, label]))
}

const titleOf = ({ header, question }: EnsoQuestion): string => `${header}: ${question}`

async function askOne(
  ui: PlainUi,
  question: EnsoQuestion,
  signal: AbortSignal | undefined,
): Promise<EnsoQuestionAnswer | undefined> {
  const rows = rowsOf(question)
  const row = await ui.select(titleOf(question), [...rows.keys(), OTHER], signal ? { signal } : undefined)
  if (row === undefined) return undefined
  if (row !== OTHER) return { selected: [rows.get(row) ?? row] }
  const other = await askOwnWords(ui, question, signal)
  return other === undefined ? undefined : { selected: [], other }
}

async function askMany(
  ui: PlainUi,
  question: EnsoQuestion,
  signal: AbortSignal | undefined,
): Promise<EnsoQuestionAnswer | undefined> {
  const rows = rowsOf(question)
  const chosen = new Set<string>()
  let other: string | undefined
  for (;;) {
    const shown = new Map([...rows].map(([row, label]) => [`${chosen.has(label) ? '[x]' : '[ ]'} ${row}`, label]))
    const ownRow = other === undefined ? `[ ] ${OTHER}` : `[x] ${OTHER}: ${other}`
    const done = chosen.size > 0 || other !== undefined ? [DONE] : []
    const row = await ui.select(titleOf(question), [...shown.keys(), ownRow, ...done], signal ? { signal } : undefined)
    if (row === undefined) return undefined
    const label = shown.get(row)
    if (row === DONE) {
      const selected = question.options.map((option) => option.label).filter((each) => chosen.has(each))
      return other === undefined ? { selected } : { selected, other }
    }
    if (label === undefined) other = other === undefined ? await askOwnWords(ui, question, signal) : undefined
    else if (!chosen.delete(label)) chosen.add(label)
    if (signal?.aborted) return undefined
  }
}

/** Blank words are no answer: they decline the question. */
async function askOwnWords(
  ui: PlainUi,
  question: EnsoQuestion,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const words = await ui.input(titleOf(question), undefined, signal ? { signal } : undefined)
  return words === undefined || words.trim() === '' ? undefined : words
}
