import type { EnsoToolResultDescriptor } from '../../core/index.js'

/** One line of a change: taken out, put in, or what stands around it. */
export interface DiffLine {
  readonly sign: '+' | '-' | ' '
  readonly text: string
}

const EDIT_TOOLS: ReadonlySet<string> = new Set(['edit', 'write'])

function linesOf(sign: DiffLine['sign'], text: unknown): DiffLine[] {
  if (typeof text !== 'string' || text === '') return []
  return text
    .replace(/\r?\n$/, '')
    .split('\n')
    .map((line) => ({ sign, text: line }))
}

/** A diff as text, its signs first in each line. */
function readDiff(diff: string): DiffLine[] {
  return diff
    .split('\n')
    .filter((line) => !/^(---|\+\+\+|@@|diff |index )/.test(line))
    .map((line) => {
      const sign = line.startsWith('+') ? '+' : line.startsWith('-') ? '-' : ' '
      return { sign, text: line.slice(1) }
    })
}

/** Without the words that both ends of a change share, only what differs is left. */
function change(before: unknown, after: unknown): DiffLine[] {
  const taken = linesOf('-', before)
  const put = linesOf('+', after)
  let head = 0
  while (head < taken.length && head < put.length && taken[head]?.text === put[head]?.text) head++
  let tail = 0
  while (
    tail < taken.length - head &&
    tail < put.length - head &&
    taken[taken.length - 1 - tail]?.text === put[put.length - 1 - tail]?.text
  ) {
    tail++
  }
  return [...taken.slice(head, taken.length - tail), ...put.slice(head, put.length - tail)]
}

/** What a tool call changed in a file, or nothing when it is no edit or doesn't say. */
export function editDiff(toolName: string, args: unknown, descriptor?: EnsoToolResultDescriptor): readonly DiffLine[] {
  const diff = descriptor?.props['diff']
  if (typeof diff === 'string' && diff !== '') return readDiff(diff)
  if (!EDIT_TOOLS.has(toolName) || typeof args !== 'object' || args === null) return []
  const given = args as Record<string, unknown>
  if (toolName === 'write') return linesOf('+', given['content'])
  const edits = Array.isArray(given['edits']) ? (given['edits'] as unknown[]) : [given]
  return edits.flatMap((edit) => {
    const { oldText, newText } = (typeof edit === 'object' && edit !== null ? edit : {}) as Record<string, unknown>
    return change(oldText, newText)
  })
}
