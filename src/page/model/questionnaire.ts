import type { EnsoQuestion, EnsoQuestionAnswer } from '../../core/index.js'

/** What somebody has chosen of one question so far. `own` is their free text, which counts while `usesOwn`. */
export interface QuestionDraft {
  readonly selected: readonly string[]
  readonly usesOwn: boolean
  readonly own: string
}

export const EMPTY_DRAFT: QuestionDraft = { selected: [], usesOwn: false, own: '' }

/** The draft after an option was chosen or taken back. A question that takes one answer keeps one. */
export function toggleOption({ multiSelect }: EnsoQuestion, draft: QuestionDraft, label: string): QuestionDraft {
  if (!multiSelect) return { ...draft, selected: [label], usesOwn: false }
  const selected = draft.selected.includes(label)
    ? draft.selected.filter((one) => one !== label)
    : [...draft.selected, label]
  return { ...draft, selected }
}

/** The draft after the own answer was chosen or taken back. */
export function toggleOwn({ multiSelect }: EnsoQuestion, draft: QuestionDraft): QuestionDraft {
  if (!multiSelect) return { ...draft, selected: [], usesOwn: true }
  return { ...draft, usesOwn: !draft.usesOwn }
}

/** The draft as an answer; `undefined` as long as it is none. */
export function answerOf(draft: QuestionDraft): EnsoQuestionAnswer | undefined {
  const other = draft.usesOwn && draft.own.trim() !== '' ? draft.own : undefined
  if (draft.usesOwn && other === undefined) return undefined
  if (draft.selected.length === 0 && other === undefined) return undefined
  return { selected: [...draft.selected], ...(other === undefined ? {} : { other }) }
}

/** All answers, or the place of the first question that has none. */
export function answersOf(
  drafts: readonly QuestionDraft[],
): { readonly answers: EnsoQuestionAnswer[] } | { readonly missing: number } {
  const answers: EnsoQuestionAnswer[] = []
  for (const [index, draft] of drafts.entries()) {
    const answer = answerOf(draft)
    if (answer === undefined) return { missing: index }
    answers.push(answer)
  }
  return { answers }
}
