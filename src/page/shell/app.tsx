import { token } from '../api/token.js'
import { form } from '../state/forms.js'
import { openThread } from '../state/open-thread.js'
import { route } from '../state/place.js'
import { lazy } from '../ui/lazy.js'
import { Rail } from '../rail/rail.js'
import { Banner } from './banner.js'
import { Locked } from './locked.js'
import { Speech } from './speech.js'
import { ThreadView } from './thread-view.js'
import { Welcome } from './welcome.js'

const Panels = lazy(() => import('../panels/panels.js').then(({ Panels }) => Panels))
const Forms = lazy(() => import('../forms/forms.js').then(({ Forms }) => Forms))

/** The page. */
export function App() {
  if (token.value === undefined) return <Locked />
  const { panel } = route.value
  const thread = openThread.value
  return (
    <div class={panel === undefined ? 'shell' : 'shell has-panel'}>
      <a class="skip" href="#composer-text" onClick={skipToComposer}>
        To the composer
      </a>
      <Banner />
      <Rail />
      <main class="main">
        {thread === undefined ? <Welcome /> : <ThreadView key={thread.state.threadId} thread={thread} />}
      </main>
      {panel !== undefined && <Panels />}
      {form.value !== undefined && <Forms />}
      <Speech />
    </div>
  )
}

function skipToComposer(event: Event): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#composer-text')?.focus()
}
