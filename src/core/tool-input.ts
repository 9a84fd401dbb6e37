/** Keys whose value says best what a call is about, the most telling first. */
const SUBJECT_KEYS = ['command', 'pattern', 'path', 'file_path', 'filePath', 'url', 'query', 'name', 'title'] as const

/** Longest subject, in characters. */
const SUBJECT_MAX = 120

/**
 * The subject of a tool call in one line: its command, path, address, query and the like, at most 120 characters.
 * Nothing when the input names none.
 */
export function summarizeToolInput(input: unknown): string | undefined {
  if (typeof input === 'string') return oneLine(input)
  if (typeof input !== 'object' || input === null) return undefined
  const record = input as Record<string, unknown>
  for (const key of SUBJECT_KEYS) {
    const value = record[key]
    const line = typeof value === 'string' ? oneLine(value) : undefined
    if (line !== undefined) return line
  }
  return firstQuestion(record['questions'])
}

function firstQuestion(questions: unknown): string | undefined {
  if (!Array.isArray(questions)) return undefined
  const first: unknown = questions[0]
  if (typeof first !== 'object' || first === null) return undefined
  const question = (first as Record<string, unknown>)['question']
  return typeof question === 'string' ? oneLine(question) : undefined
}

function oneLine(text: string): string | undefined {
  const line = text
    .slice(0, SUBJECT_MAX * 8)
    .replace(/\s+/g, ' ')
    .trim()
  if (line === '') return undefined
  return line.length > SUBJECT_MAX ? `${line.slice(0, SUBJECT_MAX - 1).trimEnd()}…` : line
}
