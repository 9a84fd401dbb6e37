import { plain } from '../model/plain.js'
import type { PageNotice } from '../model/thread-state.js'
import { counted } from '../model/words.js'

/** One notice among the messages. */
export function Notice({ notice: { level, from, text } }: { readonly notice: PageNotice }) {
  return (
    <div class={`note is-${level}`} role="note">
      <p class="plain-text">
        {from !== undefined && <strong>{plain(from)}: </strong>}
        {plain(text.slice(0, 4000))}
      </p>
    </div>
  )
}

/** What was said while the session started, together. */
export function StartNotices({ notices }: { readonly notices: readonly PageNotice[] }) {
  if (notices.length === 0) return null
  const worst = notices.some(({ level }) => level === 'error')
    ? 'error'
    : notices.some(({ level }) => level === 'warning')
      ? 'warning'
      : 'info'
  return (
    <details class={`note is-${worst}`}>
      <summary>{counted(notices.length, 'notice')} from the start of the session</summary>
      {notices.map(({ key, text }) => (
        <p key={key} class="plain-text">
          {plain(text.slice(0, 4000))}
        </p>
      ))}
    </details>
  )
}
