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
const root = document.querySelector('#page')
if (root !== null) render(<App />, root)
