import { render } from 'preact'
import { logFaults } from './api/page-log.js'
import { App } from './shell/app.js'
import { startClock } from './state/clock.js'
import { keepCommands } from './state/commands.js'
import { pollLists } from './state/lists.js'
import { keepTitle, notifyOfQuestions } from './state/notify.js'
import { keepThreadOpen } from './state/open-thread.js'
import { followAddress } from './state/place.js'

logFaults()
followAddress()
startClock()
pollLists()
keepThreadOpen()
keepCommands()
keepTitle()
notifyOfQuestions()

/** When the page has come to rest, it loads what it has left out: a server that was updated has other names for it. */
const REST_MS = 4000
setTimeout(() => {
  for (const load of [
    () => import('./cards/dialog-card.js'),
    () => import('./chat/tool-result.js'),
    () => import('./forms/forms.js'),
    () => import('./panels/panels.js'),
  ]) {
    load().catch(() => undefined)
  }
}, REST_MS)

const root = document.querySelector('#page')
if (root !== null) render(<App />, root)
