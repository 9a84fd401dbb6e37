import type { EnsoFileOperation } from '../../core/index.js'
import { plain } from '../model/plain.js'
import { counted } from '../model/words.js'

/** What was done to which file, the newest first. */
export function ContextFiles({ files }: { readonly files: readonly EnsoFileOperation[] }) {
  if (files.length === 0) return <p class="quiet">No file was read, written or searched by a file tool.</p>
  return (
    <ul class="rows">
      {[...files].reverse().map((file) => (
        <li key={file.key}>
          <span class={file.isError ? 'tag is-error' : 'tag'}>{file.kind}</span>
          <span class="path ellipsis" title={`${plain(file.path)} ${plain(file.subject)}`}>
            {plain(file.path.slice(-200))}
          </span>
          <span class="quiet">{whatCame(file)}</span>
        </li>
      ))}
    </ul>
  )
}

function whatCame({ kind, added, removed, hits, isError, turn }: EnsoFileOperation): string {
  if (isError) return `failed · request ${turn}`
  if (kind === 'write') return `+${added} −${removed} · request ${turn}`
  return kind === 'search' && hits > 0 ? `${counted(hits, 'hit')} · request ${turn}` : `request ${turn}`
}
