import type { EnsoContextEvent } from '../../core/index.js'
import { plain } from '../model/plain.js'
import { shortCount } from '../model/words.js'

const KINDS = { inject: 'added', compact: 'compacted', prune: 'removed', switch: 'switched', mode: 'mode' } as const

/** When and why the context changed, the newest first. */
export function ContextEvents({ events }: { readonly events: readonly EnsoContextEvent[] }) {
  if (events.length === 0) return <p class="quiet">Nothing but the conversation.</p>
  return (
    <ul class="rows">
      {[...events].reverse().map(({ key, kind, label, turn, tokens }) => (
        <li key={key}>
          <span class="tag">{KINDS[kind]}</span>
          <span class="ellipsis" title={plain(label)}>
            {plain(label.slice(0, 300))}
          </span>
          <span class="quiet">
            request {turn}
            {tokens === 0 ? '' : ` · ${tokens > 0 ? '+' : '−'}${shortCount(Math.abs(tokens))}`}
          </span>
        </li>
      ))}
    </ul>
  )
}
