/** One value of the person's configuration, and the other places it may be said. */
export interface Setting {
  /** Its place in config.json: keys joined by dots. */
  readonly key: string
  /** The environment's variable; set and not empty, it counts before the file. */
  readonly env?: string
  /** A run's flag that counts before both. */
  readonly flag?: string
  /** The flag's values come to the file's instead of replacing them. */
  readonly adds?: true
  /** What is in force where nobody says anything. */
  readonly standard?: unknown
  /** The same in words, where it is no one value. */
  readonly otherwise?: string
  readonly about: string
}

/** Every setting of a person, in the order it is shown. */
export const SETTINGS: readonly Setting[] = [
  {
    key: 'defaultModel',
    env: 'ENSO_MODEL',
    flag: 'model',
    otherwise: 'the first with credentials',
    about: 'the model of a new thread, provider/id[:thinking]',
  },
  {
    key: 'defaultThinking',
    env: 'ENSO_THINKING',
    flag: 'thinking',
    otherwise: "the model's own",
    about: 'how hard it thinks',
  },
  {
    key: 'defaultMode',
    env: 'ENSO_MODE',
    flag: 'permission-mode',
    otherwise: 'default; dontAsk where nobody can be asked',
    about: 'the permission mode of a new thread',
  },
  {
    key: 'localServer',
    otherwise: 'none',
    about: 'a model server of this machine that you agreed to use: enso models --local',
  },
  { key: 'permissions.allow', flag: 'allow-tool', adds: true, standard: [], about: 'calls that need no question' },
  { key: 'permissions.ask', standard: [], about: 'calls that are always asked about' },
  { key: 'permissions.deny', flag: 'deny-tool', adds: true, standard: [], about: 'calls that are never let through' },
  {
    key: 'sandbox',
    env: 'ENSO_SANDBOX',
    flag: 'sandbox',
    standard: 'off',
    about: 'whether shell commands are confined',
  },
  { key: 'guard.defaultBashTimeoutSeconds', standard: 120, about: 'how long a shell command may run' },
  { key: 'guard.writeRoots', flag: 'add-dir', adds: true, standard: [], about: 'further folders that may be written' },
  { key: 'projects.roots', standard: [], about: 'folders under which the page may register projects' },
  { key: 'logs.level', env: 'ENSO_LOG_LEVEL', standard: 'info', about: 'what the log file holds' },
  {
    key: 'logs.retentionDays',
    env: 'ENSO_LOG_RETENTION_DAYS',
    standard: 30,
    about: 'days a log file is kept; 0: for ever',
  },
  { key: 'answers', env: 'ENSO_ANSWERS', flag: 'answers', otherwise: 'none', about: 'a file of standing answers' },
  { key: 'color', env: 'ENSO_COLOR', flag: 'color', standard: 'auto', about: 'auto, always or never' },
]

/** The setting of a key. */
export function settingNamed(key: string): Setting | undefined {
  return SETTINGS.find((setting) => setting.key === key)
}

/** The value at a dotted key; `undefined` where there is none. */
export function valueAt(object: unknown, key: string): unknown {
  return key.split('.').reduce<unknown>((inside, name) => membersOf(inside)[name], object)
}

/** A copy with the value at a dotted key; `undefined` takes the key away, and what is empty then. */
export function withValueAt(object: unknown, key: string, value: unknown): Record<string, unknown> {
  const [name = '', ...rest] = key.split('.')
  const members = { ...membersOf(object) }
  const inside = rest.length === 0 ? value : withValueAt(members[name], rest.join('.'), value)
  if (inside === undefined || (rest.length > 0 && Object.keys(membersOf(inside)).length === 0)) delete members[name]
  else members[name] = inside
  return members
}

function membersOf(object: unknown): Readonly<Record<string, unknown>> {
  return typeof object === 'object' && object !== null && !Array.isArray(object)
    ? (object as Readonly<Record<string, unknown>>)
    : {}
}
