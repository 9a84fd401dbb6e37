import { useState } from 'preact/hooks'
import { plain } from '../model/plain.js'
import { searchHits } from '../model/search-hits.js'

/** Rows that are shown at first. */
const ROWS = 40

/** What a search found, by file. */
export function Hits({ text }: { readonly text: string }) {
  const [shown, setShown] = useState(ROWS)
  const { files, notes } = searchHits(text)
  if (files.length === 0) return <pre tabIndex={0}>{plain(text)}</pre>
  let left = shown
  return (
    <div class="hits">
      {files.map(({ path, hits }) => {
        const some = hits.slice(0, left)
        left -= some.length
        if (some.length === 0) return null
        return (
          <section key={path}>
            <h5>{plain(path)}</h5>
            {some.map(({ line, text: found, isMatch }) => (
              <div key={line} class={isMatch ? 'hit' : 'hit is-around'}>
                <span class="diff-number">{line}</span>
                <code>{plain(found.slice(0, 500))}</code>
              </div>
            ))}
          </section>
        )
      })}
      <More isMore={left === 0} onMore={() => setShown(shown * 8)} />
      {notes.map((note) => (
        <p key={note} class="quiet">
          {plain(note)}
        </p>
      ))}
    </div>
  )
}

/** Paths, one a line. */
export function Paths({ text }: { readonly text: string }) {
  const [shown, setShown] = useState(ROWS)
  const paths = text.split('\n').filter((line) => line.trim() !== '')
  if (paths.length === 0) return <p class="quiet">Nothing.</p>
  return (
    <>
      <ul class="paths">
        {paths.slice(0, shown).map((path) => (
          <li key={path}>{plain(path.slice(0, 1000))}</li>
        ))}
      </ul>
      <More isMore={paths.length > shown} onMore={() => setShown(shown * 8)} />
    </>
  )
}

function More({ isMore, onMore }: { readonly isMore: boolean; readonly onMore: () => void }) {
  if (!isMore) return null
  return (
    <button type="button" class="link-button" onClick={onMore}>
      Show more
    </button>
  )
}
