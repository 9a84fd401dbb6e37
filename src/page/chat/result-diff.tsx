import { useState } from 'preact/hooks'
import { diffLines } from '../model/diff-lines.js'
import { plain } from '../model/plain.js'
import { counted } from '../model/words.js'

/** Lines that are shown at first. */
const LINES = 60

/** A change of a file, line by line; what the tool said where it came without one. */
export function Diff({
  diff,
  path,
  fallback,
}: {
  readonly diff: string
  readonly path: string
  readonly fallback: string
}) {
  const [shown, setShown] = useState(LINES)
  if (diff === '') return <pre tabIndex={0}>{plain(fallback)}</pre>
  const lines = diffLines(diff)
  return (
    <>
      <div class="diff" role="group" aria-label={`Change of ${path}`} tabIndex={0}>
        {lines.slice(0, shown).map(({ kind, number, text }, index) => (
          <div key={index} class={`diff-line is-${kind}`}>
            <span class="diff-number">{number}</span>
            <span class="diff-sign">{kind === 'added' ? '+' : kind === 'removed' ? '−' : ' '}</span>
            <code>{plain(text.slice(0, 2000))}</code>
          </div>
        ))}
      </div>
      {lines.length > shown && (
        <button type="button" class="link-button" onClick={() => setShown(shown * 8)}>
          Show {counted(lines.length - shown, 'more line')}
        </button>
      )}
    </>
  )
}
