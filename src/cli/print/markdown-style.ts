/** Adds colour to Markdown as it streams, and nothing else: without the colour the text is what it was. */
export interface MarkdownStyle {
  /** The next piece, coloured as far as it can be told; a few characters may wait for what follows them. */
  push(text: string): string
  /** What still waits. */
  end(): string
}

type Look = 'bold' | 'code' | 'dim'

const ON: Readonly<Record<Look, string>> = { bold: '\x1b[1m', code: '\x1b[36m', dim: '\x1b[2m' }
const OFF: Readonly<Record<Look, string>> = { bold: '\x1b[22m', code: '\x1b[39m', dim: '\x1b[22m' }

/** A beginning of a line that may still become a heading, a fence or a quotation. */
const UNDECIDED = /^ {0,3}(?:#{0,6}|`+|~+)$/
const HEADING = /^ {0,3}#{1,6}[ \t]/
const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** A style that begins at the beginning of a message. */
export function createMarkdownStyle(): MarkdownStyle {
  /** The beginning of a line, until it is known what kind of line it is; marks that more may follow. */
  let held = ''
  let atBeginning = true
  let fence: string | undefined
  let line: Look | undefined
  const inline = new Set<Look>()

  const looks = (): Look[] => [...(line === undefined ? [] : [line]), ...inline]
  const open = (): string =>
    looks()
      .map((look) => ON[look])
      .join('')
  const close = (): string =>
    looks()
      .map((look) => OFF[look])
      .join('')

  function begin(start: string): void {
    atBeginning = false
    const mark = FENCE.exec(start)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence) !== true) return
      fence = undefined
      line = 'dim'
    } else if (mark !== undefined) {
      fence = mark
      line = 'dim'
    } else if (HEADING.test(start)) line = 'bold'
  }

  function endOfLine(): string {
    const closed = close()
    line = undefined
    inline.clear()
    atBeginning = true
    return `${closed}\n`
  }

  function toggle(look: Look, mark: string): string {
    if (line === look) return mark
    if (inline.delete(look)) return mark + OFF[look]
    inline.add(look)
    return ON[look] + mark
  }

  /** Characters of a line whose kind is known. */
  function within(text: string): string {
    if (fence !== undefined || line === 'dim') return text
    return text.replace(/`+|\*+/g, (mark, at: number) => {
      if (mark.startsWith('`')) return mark.length === 1 ? toggle('code', mark) : mark
      if (mark.length < 2 || mark.length > 3) return mark
      const begins = /\S/.test(text[at + mark.length] ?? '')
      return !inline.has('code') && (inline.has('bold') || begins) ? toggle('bold', mark) : mark
    })
  }

  function one(text: string): string {
    if (text === '\n') return endOfLine()
    if (!atBeginning) return within(text)
    begin(text)
    return open() + within(text)
  }

  function styled(text: string): string {
    if (text === '') return ''
    // A piece ends without colour and the next one takes it up again: something else may be said between them.
    let out = atBeginning ? '' : open()
    for (const part of text.split(/(\n)/)) {
      if (part !== '') out += one(part)
    }
    return atBeginning ? out : out + close()
  }

  /** What can't be told yet: the beginning of a last line, and marks that the next piece may go on with. */
  function waiting(text: string): number {
    const from = text.lastIndexOf('\n') + 1
    const last = text.slice(from)
    if ((from > 0 || atBeginning) && UNDECIDED.test(last)) return last.length
    return /[`*]+$/.exec(last)?.[0].length ?? 0
  }

  return {
    push(text) {
      const given = held + text
      const kept = given.length - waiting(given)
      held = given.slice(kept)
      return styled(given.slice(0, kept))
    },
    end() {
      const rest = held
      held = ''
      return styled(rest)
    },
  }
}
