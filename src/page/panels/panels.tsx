import { useEffect, useRef } from 'preact/hooks'
import { closePanel, route } from '../state/place.js'
import { focusComposer } from '../state/focus.js'
import { IconButton } from '../ui/icon-button.js'
import { ContextPanel } from './context-panel.js'
import { LogPanel } from './log-panel.js'
import { StatisticsPanel } from './statistics-panel.js'

const TITLES = { context: 'Context', statistics: 'Statistics', log: 'Log' } as const

/** What is open beside the chat; on a small screen, over it. */
export function Panels() {
  const { panel, threadId } = route.value
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [panel])
  if (panel === undefined) return null
  const close = (): void => {
    closePanel()
    focusComposer()
  }
  return (
    <aside
      class="panel"
      aria-label={TITLES[panel]}
      onKeyDown={({ key, target }) => {
        if (key === 'Escape' && !(target instanceof HTMLInputElement)) close()
      }}
    >
      <header class="panel-head">
        <h2 tabIndex={-1} ref={title}>
          {TITLES[panel]}
        </h2>
        <IconButton icon="close" label={`Close ${TITLES[panel].toLowerCase()}`} onClick={close} />
      </header>
      <div class="panel-body">
        {panel === 'log' && <LogPanel threadId={threadId} />}
        {panel === 'statistics' && <StatisticsPanel threadId={threadId} />}
        {panel === 'context' &&
          (threadId === undefined ? (
            <p class="quiet">Open a thread to see its context.</p>
          ) : (
            <ContextPanel threadId={threadId} />
          ))}
      </div>
    </aside>
  )
}
