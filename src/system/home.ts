import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** Where enso keeps things. Every path is absolute; nothing is created by naming it. */
export interface EnsoHome {
  readonly root: string
  /** The person's own configuration, `EnsoUserConfig`. */
  readonly configFile: string
  /** Credentials, models and settings in the agent library's formats; `ENSO_AGENT_DIR` moves it. */
  readonly agentDir: string
  /** One folder a project, named by its id. */
  readonly threadsDir: string
  readonly logsDir: string
  readonly projectsFile: string
  /** The system's temporary folder. */
  readonly tmpDir: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** A leading `~` is the person's home directory; anything else is taken from `cwd`, or the process's own folder. */
export function expandHome(path: string, env: Environment, cwd?: string): string {
  const home = env['HOME'] || homedir()
  if (path === '~') return home
  if (path.startsWith('~/')) return join(home, path.slice(2))
  // The working folder may be gone: it is asked for only where it counts.
  return cwd === undefined ? resolve(path) : resolve(cwd, path)
}

/** The folders of this person, from `ENSO_HOME` (default `~/.enso`) and `ENSO_AGENT_DIR`. */
export function ensoHome(env: Environment): EnsoHome {
  const root = expandHome(env['ENSO_HOME'] || '~/.enso', env)
  return {
    root,
    configFile: join(root, 'config.json'),
    agentDir: env['ENSO_AGENT_DIR'] ? expandHome(env['ENSO_AGENT_DIR'], env) : join(root, 'agent'),
    threadsDir: join(root, 'threads'),
    logsDir: join(root, 'logs'),
    projectsFile: join(root, 'projects.json'),
    tmpDir: tmpdir(),
  }
}
