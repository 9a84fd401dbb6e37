import stringWidth from 'string-width'
import { wrapWords } from '../render/wrap.js'

/** Columns that the rest of a line stands in from its beginning. */
const HANGING = 2

/** Lines in at most `width` columns, broken between words; what goes on stands in from where its line began. */
export function foldLines(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      if (line.length <= width && stringWidth(line) <= width) return [line]
      const own = /^ */.exec(line)?.[0] ?? ''
      const [first = '', ...rest] = wrapWords(line.slice(own.length), width - own.length - HANGING, '')
      return [own + first, ...rest.map((more) => own + ' '.repeat(HANGING) + more)]
    })
    .join('\n')
}
