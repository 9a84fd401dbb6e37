/** What a question is about, line by line as it came; lines that a change adds or takes away are told apart. */
export function Detail({ text }: { readonly text: string }) {
  const isChange = /^@@/m.test(text) || /^[+-]/m.test(text)
  return (
    <pre class="detail" tabIndex={0}>
      {isChange
        ? text.split('\n').map((line, index) => (
            <span key={index} class={kindOf(line)}>
              {line}
              {'\n'}
            </span>
          ))
        : text}
    </pre>
  )
}

function kindOf(line: string): string {
  if (line.startsWith('@@')) return 'is-gap'
  return line.startsWith('+') ? 'is-added' : line.startsWith('-') ? 'is-removed' : ''
}
