import { useState } from 'preact/hooks'
import { plain } from '../model/plain.js'
import type { ThreadGroup, ThreadRow } from '../model/thread-groups.js'
import { hashOf } from '../model/route.js'
import { ago, counted } from '../model/words.js'
import { halfMinutes } from '../state/clock.js'
import { openForm } from '../state/forms.js'
import { route } from '../state/place.js'
import { isRailOpen } from '../state/shell.js'
import { IconButton } from '../ui/icon-button.js'

/** Threads of a project that are shown at first. */
const ROWS = 8

/** One project's threads. */
export function Group({ group }: { readonly group: ThreadGroup }) {
  const [all, setAll] = useState(false)
  const { title, path, projectId, isMissing, rows } = group
  const shown = all ? rows : rows.slice(0, ROWS)
  return (
    <section class="group" aria-label={title}>
      <header>
        <h2 class="ellipsis" title={path}>
          {plain(title)}
        </h2>
        {isMissing ? (
          <span class="tag" title={`${path} is not there any more`}>
            gone
          </span>
        ) : (
          <IconButton
            icon="plus"
            label={`New thread in ${title}`}
            onClick={() => openForm({ kind: 'thread', projectId })}
          />
        )}
      </header>
      {rows.length === 0 && <p class="quiet">No threads yet.</p>}
      <ul>
        {shown.map((row) => (
          <Row key={row.threadId} row={row} />
        ))}
      </ul>
      {rows.length > shown.length && (
        <button type="button" class="link-button" onClick={() => setAll(true)}>
          {counted(rows.length - shown.length, 'older thread')}
        </button>
      )}
    </section>
  )
}

function Row({ row }: { readonly row: ThreadRow }) {
  const { threadId, title, messageCount, lastActivityAt, busy } = row
  const isOpen = route.value.threadId === threadId
  return (
    <li>
      <a
        class={isOpen ? 'thread is-open' : 'thread'}
        href={hashOf({ threadId })}
        aria-current={isOpen ? 'page' : undefined}
        onClick={() => (isRailOpen.value = false)}
      >
        <span class="thread-title ellipsis">{plain((title ?? 'New thread').slice(0, 200))}</span>
        <span class="thread-facts quiet">
          {busy && (
            <>
              <span class="busy-dot" aria-hidden="true" />
              <span>busy</span>
            </>
          )}
          <span>{ago(lastActivityAt, halfMinutes.value)}</span>
          <span>{counted(messageCount, 'message')}</span>
        </span>
      </a>
    </li>
  )
}
