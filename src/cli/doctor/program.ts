import type { CliIo } from '../io.js'
import type { CliParts } from '../parts.js'
import { type EnsoDoctorCheck, fault, ok, warning } from './check.js'

/** The oldest Node that everything here is tested on. */
const LEAST_NODE = [20, 19] as const

/** The program itself: the Node it runs on, its version, and the agent library's. */
export function programChecks(parts: Pick<CliParts, 'version' | 'agentLibrary'>, node: string): EnsoDoctorCheck[] {
  const [major = 0, minor = 0] = node.split('.').map(Number)
  const isOld = major < LEAST_NODE[0] || (major === LEAST_NODE[0] && minor < LEAST_NODE[1])
  return [
    isOld ? fault('node', `${node} is too old`, `install Node ${LEAST_NODE.join('.')} or newer`) : ok('node', node),
    ok('enso', `${parts.version}, over ${parts.agentLibrary.name} ${parts.agentLibrary.version}`),
  ]
}

/** The person's configuration, and the workspace's for a folder. */
export async function configChecks(parts: CliParts, cwd: string): Promise<EnsoDoctorCheck[]> {
  const { configFile } = parts.home
  const own = await attempt(() => parts.userConfig())
  const workspace = await attempt(() => parts.workspaceConfig(cwd))
  return [
    own.failed === undefined
      ? ok('config', Object.keys(own.value ?? {}).length === 0 ? 'nothing is set' : configFile)
      : fault('config', own.failed, `correct it (enso config edit), or move ${configFile} away`),
    workspace.failed === undefined
      ? ok('workspace', workspace.value?.file ?? 'no enso.config.json here')
      : fault('workspace', workspace.failed, 'correct it: while it is broken no run starts here'),
  ]
}

/** The variables that say how providers are reached; what they hold is shown without names and passwords. */
const PROXIES = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'] as const

export function proxyCheck(env: CliIo['env']): EnsoDoctorCheck {
  const named = PROXIES.flatMap((name) => {
    const value = env[name.toLowerCase()] || env[name]
    return value === undefined || value === '' ? [] : [{ name, value }]
  })
  const broken = named.find(({ name, value }) => name !== 'NO_PROXY' && !isProxyUrl(value))
  if (broken !== undefined) {
    return fault('proxy', `${broken.name} is no address`, `write ${broken.name}=http://host:port`)
  }
  return ok('proxy', named.map(({ name, value }) => `${name} ${withoutUser(value)}`).join(', ') || 'none')
}

function isProxyUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

function withoutUser(text: string): string {
  return text.replace(/\/\/[^@/]*@/g, '//…@')
}

/** A model that could run, the default one, and which providers have credentials: their names, nothing of them. */
export async function modelChecks(
  parts: CliParts,
  cwd: string,
  defaultModel: string | undefined,
): Promise<EnsoDoctorCheck[]> {
  const loaded = await attempt(() => parts.agentHost({ cwd }))
  if (loaded.value === undefined) {
    return [
      fault('models', loaded.failed ?? 'the agent library does not load', 'see the lines above, or reinstall enso'),
    ]
  }
  const host = loaded.value
  try {
    const models = await host.listModels()
    const usable = models.filter(({ available }) => available)
    const stored = host.credentials.logoutOptions().map(({ id }) => id)
    const providers = [...new Set(usable.map(({ provider }) => provider))].sort()
    const [more, rest] = [providers.slice(0, 6), providers.length - 6]
    const found =
      usable.length === 0
        ? `none of ${models.length} has credentials`
        : `${usable.length} of ${models.length} could run: ${more.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
    const todo = `enso login, a provider's key in the environment, or an endpoint of your own in ${parts.home.agentDir}/models.json`
    const checks = [
      usable.length === 0 ? fault('models', found, todo) : ok('models', found),
      ok('credentials', stored.length === 0 ? 'none stored' : `stored for ${stored.sort().join(', ')}`),
    ]
    if (defaultModel === undefined) return checks
    const name = defaultModel.replace(/:(off|minimal|low|medium|high|xhigh)$/, '')
    const named = models.filter(({ provider, id }) =>
      [`${provider}/${id}`, id].some((one) => one === name || one === defaultModel),
    )
    return [
      ...checks,
      named.some(({ available }) => available)
        ? ok('default model', defaultModel)
        : fault(
            'default model',
            `${defaultModel} ${named.length === 0 ? 'is unknown' : 'has no credentials'}`,
            'enso models lists what could run; enso config set defaultModel …',
          ),
    ]
  } finally {
    await host.dispose()
  }
}

export async function sandboxCheck(parts: CliParts, choice: 'off' | 'auto' | 'require'): Promise<EnsoDoctorCheck> {
  const probed = await parts.probeSandbox()
  if (probed.kind === 'on') {
    return ok('sandbox', choice === 'off' ? 'could be used; it is switched off (sandbox)' : 'used for shell commands')
  }
  const found = `can't be used: ${probed.reason}`
  if (choice === 'require') return fault('sandbox', found, 'install bubblewrap, or set sandbox to auto or off')
  return choice === 'auto'
    ? warning('sandbox', `${found}; shell commands run without it`, 'install bubblewrap (apt-get install bubblewrap)')
    : ok('sandbox', `${found}; it is switched off`)
}

interface Attempt<T> {
  readonly value?: T
  readonly failed?: string
}

async function attempt<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await work() }
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) }
  }
}
