import { isSecretVariable } from './secrets.js'

/** Provider keys and handles to agents of the person's that carry no telling name. */
const NAMED =
  /^(?:AWS_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|WEB_IDENTITY_TOKEN_FILE|CONTAINER_.*)|GOOGLE_APPLICATION_CREDENTIALS|AZURE_.*|SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|DBUS_SESSION_BUS_ADDRESS|DOCKER_HOST|NPM_CONFIG__?AUTH.*|NPM_CONFIG_.*(?:TOKEN|PASSWORD).*|ENSO_TOKEN.*)$/i

/** What a shell runs on start: set for the person's shells and noise on the output of the model's. */
const LOADERS = new Set(['BASH_ENV', 'ENV', 'PROMPT_COMMAND'])

/**
 * The environment for a command of the model's: without credentials, sockets of the person's key agents, or code that
 * runs on start. The kernel still keeps the harness's own copy under `/proc`; `environment-dump` refuses to read that.
 */
export function createScrubbedEnv(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || isSecretVariable(name) || NAMED.test(name) || LOADERS.has(name)) continue
    kept[name] = value
  }
  return kept
}

/**
 * The environment with git's file monitor off: of all that the settings of an unpacked repository can name it is the one
 * program that every git command runs, `git status` first. Settings that are there already stay. Said in the way that git
 * hands on when it looks into a repository inside this one.
 */
export function withoutMonitor(env: Readonly<Record<string, string>>): Record<string, string> {
  const given = env['GIT_CONFIG_PARAMETERS']
  const off = "'core.fsmonitor=false'"
  return { ...env, GIT_CONFIG_PARAMETERS: given === undefined || given === '' ? off : `${given} ${off}` }
}
