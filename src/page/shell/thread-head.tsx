import { plain } from '../model/plain.js'
import { PANELS, type Panel } from '../model/route.js'
import type { ThreadState } from '../model/thread-state.js'
import { baseName } from '../model/words.js'
import { route, togglePanel } from '../state/place.js'
import { isRailOpen } from '../state/shell.js'
import { titleOf } from '../state/title.js'
import type { IconName } from '../ui/icon.js'
import { IconButton } from '../ui/icon-button.js'

const BUTTONS: Readonly<Record<Panel, { readonly icon: IconName; readonly label: string }>> = {
  context: { icon: 'layers', label: 'Context' },
  statistics: { icon: 'chart', label: 'Statistics' },
  log: { icon: 'log', label: 'Log' },
}

/** A thread's title, where it works, and what can be opened beside it. */
export function ThreadHead({ state }: { readonly state: ThreadState }) {
  const title = titleOf(state)
  const cwd = state.cwd.value
  return (
    <header class="thread-head">
      <IconButton icon="menu" label="Threads" class="only-narrow" onClick={() => (isRailOpen.value = true)} />
      <div class="thread-name">
        <h1 class="ellipsis" title={plain(title)}>
          {plain(title)}
        </h1>
        <p class="quiet ellipsis" title={cwd}>
          {plain(baseName(cwd))}
          {state.live.value ? '' : ' · at rest'}
        </p>
      </div>
      {PANELS.map((panel) => (
        <IconButton
          key={panel}
          {...BUTTONS[panel]}
          pressed={route.value.panel === panel}
          onClick={() => togglePanel(panel)}
        />
      ))}
    </header>
  )
}
