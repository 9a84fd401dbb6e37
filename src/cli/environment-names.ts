import { SETTINGS } from './config/settings.js'

/** Every variable of the environment that enso looks at by itself, and what it says. */
export const ENVIRONMENT: readonly (readonly [name: string, meaning: string])[] = [
  ['ENSO_HOME', 'where enso keeps everything of yours (~/.enso)'],
  ['ENSO_AGENT_DIR', 'where credentials, models and extensions are (agent under ENSO_HOME)'],
  ...SETTINGS.flatMap(({ env, about }) => (env === undefined ? [] : [[env, about] as const])),
  ['ENSO_TOKEN', 'the token of a server, for --connect'],
  ['ENSO_TRACE', '1: where a start that failed went wrong'],
  ['ENSO_TELEMETRY', 'sends spans where OTEL_EXPORTER_OTLP_ENDPOINT says'],
  ['NO_COLOR, FORCE_COLOR', 'colour off, colour on'],
  ['HTTP_PROXY, HTTPS_PROXY, NO_PROXY', 'the way to providers'],
  ['VISUAL, EDITOR', 'the editor of long answers and of config edit'],
]
