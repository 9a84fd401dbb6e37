/** One line of a change; `gap` stands for lines that are not shown. */
export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'same' | 'gap'
  readonly number: string
  readonly text: string
}

const NUMBERED = /^([+\- ])(\s*\d*) (.*)$/

/**
 * The lines of a change as the runtime writes it: a sign, a line number, the text. Lines of a plain patch (a sign and
 * the text) are understood too.
 */
export function diffLines(diff: string): DiffLine[] {
  return diff.split('\n').map((line) => {
    const [, sign, number = '', text = ''] = NUMBERED.exec(line) ?? []
    if (sign === undefined)
      return { kind: kindOf(line[0]), number: '', text: /^[+\- ]/.test(line) ? line.slice(1) : line }
    if (number.trim() === '' && text === '...') return { kind: 'gap', number: '', text: '⋯' }
    return { kind: kindOf(sign), number: number.trim(), text: number.trim() === '' ? line.slice(1) : text }
  })
}

function kindOf(sign: string | undefined): DiffLine['kind'] {
  return sign === '+' ? 'added' : sign === '-' ? 'removed' : 'same'
}

/** How many lines came and went. */
export function diffCounts(lines: readonly DiffLine[]): { readonly added: number; readonly removed: number } {
  const count = (kind: DiffLine['kind']): number => lines.filter((line) => line.kind === kind).length
  return { added: count('added'), removed: count('removed') }
}
