import stringWidth from 'string-width'

/** A text of several words in lines of at most `width` columns, each indented. A word that is longer stands alone. */
export function wrapWords(text: string, width: number, indent: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && indent.length + stringWidth(longer) > width) {
      lines.push(indent + line)
      line = word
    } else {
      line = longer
    }
  }
  return [...lines, indent + line]
}
