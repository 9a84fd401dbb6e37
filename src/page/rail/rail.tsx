import { useState } from 'preact/hooks'
import { groupsWith } from '../model/thread-groups.js'
import { groups, lists } from '../state/lists.js'
import { openForm } from '../state/forms.js'
import { go, route, togglePanel } from '../state/place.js'
import { isRailOpen } from '../state/shell.js'
import { Icon } from '../ui/icon.js'
import { IconButton } from '../ui/icon-button.js'
import { Group } from './group.js'

/** With more threads than this there is a field to look for one. */
const FIND_FROM = 20

/** Projects and their threads. On a small screen it lies over the chat. */
export function Rail() {
  const [typed, setTyped] = useState('')
  const isAlone = route.value.threadId === undefined
  const open = isRailOpen.value || isAlone
  const count = groups.value.reduce((sum, { rows }) => sum + rows.length, 0)
  return (
    <nav
      class={open ? 'rail is-open' : 'rail'}
      aria-label="Threads"
      onKeyDown={({ key }) => {
        if (key === 'Escape') isRailOpen.value = false
      }}
    >
      <header class="rail-head">
        <a class="mark" href="#/" aria-label="enso, beginning">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <path d="M24 8a11 11 0 1 0 3 8" />
          </svg>
          enso
        </a>
        {!isAlone && (
          <IconButton
            icon="close"
            label="Close the list"
            class="only-narrow"
            onClick={() => (isRailOpen.value = false)}
          />
        )}
      </header>
      <button type="button" class="button new-thread" onClick={() => openForm({ kind: 'thread' })}>
        <Icon name="plus" /> New thread
      </button>
      {count > FIND_FROM && (
        <input
          type="search"
          class="field"
          aria-label="Find a thread"
          placeholder="Find…"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
      <div class="rail-groups">
        {lists.value === undefined && <p class="quiet">Loading…</p>}
        {groupsWith(groups.value, typed).map((group) => (
          <Group key={group.projectId} group={group} />
        ))}
      </div>
      <footer class="rail-foot">
        <button type="button" class="link-button" onClick={() => openForm({ kind: 'project' })}>
          <Icon name="folder" /> Add a project
        </button>
        <IconButton icon="chart" label="Statistics of the day" onClick={() => goTo('statistics')} />
        <IconButton icon="log" label="Log" onClick={() => togglePanel('log')} />
      </footer>
    </nav>
  )
}

function goTo(panel: 'statistics'): void {
  isRailOpen.value = false
  go({ threadId: route.peek().threadId, panel })
}
