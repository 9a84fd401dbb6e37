export { ENSO_LOG_EVENTS } from './log-events.js'
