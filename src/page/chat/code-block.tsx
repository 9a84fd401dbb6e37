import { useEffect, useState } from 'preact/hooks'
import { plain } from '../model/plain.js'
import { CopyButton } from '../ui/copy-button.js'
import { ShownText } from '../ui/shown-text.js'
import type { CodeSpan } from '../model/code-spans.js'
import { highlight, highlightedBefore } from './highlight.js'

/** Lines of code that are shown at first. */
const LINES = 400

/** Code with its language and a way to copy it. While it still grows it has no colours. */
export function CodeBlock({
  code,
  lang,
  growing,
}: {
  readonly code: string
  readonly lang: string
  readonly growing?: boolean
}) {
  const shown = plain(code)
  return (
    <div class="code">
      <div class="code-head">
        <span>{lang === '' ? 'text' : lang}</span>
        <CopyButton text={shown} label="Copy code" />
      </div>
      <ShownText text={shown} lines={LINES}>
        {(text) => <Code code={text} lang={growing === true ? '' : lang} />}
      </ShownText>
    </div>
  )
}

/** Code alone. */
export function Code({ code, lang }: { readonly code: string; readonly lang: string }) {
  const [made, setMade] = useState<{ readonly code: string; readonly spans: readonly CodeSpan[] } | undefined>()
  useEffect(() => {
    let isOver = false
    void highlight(code, lang).then((spans) => {
      if (!isOver && spans !== undefined) setMade({ code, spans })
    })
    return () => {
      isOver = true
    }
  }, [code, lang])
  const spans = highlightedBefore(code, lang) ?? (made?.code === code ? made.spans : undefined)
  return (
    <pre tabIndex={0}>
      <code>
        {spans?.map(({ kind, text }, index) =>
          kind === '' ? (
            text
          ) : (
            <span key={index} class={kind}>
              {text}
            </span>
          ),
        ) ?? code}
      </code>
    </pre>
  )
}
