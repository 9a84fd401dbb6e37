import { createLineJudge } from './line-filter.js'
import type { LogQuestion } from './line-filter.js'
import type { LogShow } from './read-log.js'

/** Shows each record of a text that answers a question, in order, and counts: what `eachLogLine` does for a file. */
export async function eachTextLine(
  text: string,
  question: LogQuestion,
  show: LogShow,
): Promise<{ matched: number; malformed: number }> {
  const judge = createLineJudge(question, show.unread)
  const buffer = Buffer.from(text, 'utf8')
  let matched = 0
  let malformed = 0
  let start = 0
  while (start < buffer.length) {
    const found = buffer.indexOf(0x0a, start)
    const end = found === -1 ? buffer.length : found
    const verdict = end === start ? 'skipped' : judge(buffer, start, end)
    start = end + 1
    if (verdict === 'malformed') malformed++
    if (typeof verdict === 'string') continue
    matched++
    show.line(verdict)
  }
  await show.rest?.()
  return { matched, malformed }
}
