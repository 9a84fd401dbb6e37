import type { CliIo } from '../cli/io.js'
import type { CliParts } from '../cli/parts.js'
import type { HostRequest } from '../cli/threads-request.js'
import type { CredentialHost } from '../core/index.js'
import type { EnsoHome } from '../system/home.js'

/** The provider that plays a script. @throws EnsoError `bad-input` */
export async function scriptProvider(script: string) {
  const [{ readScript }, { createScriptProvider }] = await Promise.all([
    import('../host/scripts/script-file.js'),
    import('../host/scripts/script-provider.js'),
  ])
  return createScriptProvider(await readScript(script))
}

/** What writes the replies of models to a file. @throws EnsoError `bad-input` when it can't be written */
async function scriptRecorder(file: string, home: EnsoHome, env: CliIo['env']) {
  const [{ createScriptRecorder }, { writeScript }, { textRedactor }] = await Promise.all([
    import('../host/scripts/script-recorder.js'),
    import('../host/scripts/script-file.js'),
    import('../log/text-redactor.js'),
  ])
  return createScriptRecorder({ redact: textRedactor(env, home.agentDir), write: writeScript(file) })
}

/** The agent library with our own providers and parts. */
export async function loadHost(parts: CliParts, env: CliIo['env'], request: HostRequest): Promise<CredentialHost> {
  const { home } = parts
  const { script, record } = request
  const [{ createAgentHost }, { createOwnParts }, { registerLocalServer }, { rememberLocalServer }, user] =
    await Promise.all([
      import('../host/agent-host.js'),
      import('../host/own-parts.js'),
      import('../host/models/local-provider.js'),
      import('../cli/config/remember-local-server.js'),
      parts.userConfig(),
    ])
  const { localServer } = user
  const provider = script === undefined ? undefined : await scriptProvider(script)
  const recorder = record === undefined ? undefined : await scriptRecorder(record, home, env)
  return createAgentHost({
    agentDir: home.agentDir,
    env,
    parts: createOwnParts({
      env,
      ensoRoot: home.root,
      agentDir: home.agentDir,
      user,
      workspaceConfig: async (cwd) => (await parts.workspaceConfig(cwd))?.config,
      sandbox: request.sandbox ?? user.sandbox ?? 'off',
      allowBypass: request.allowBypass ?? false,
      addedRoots: request.addDirs ?? [],
      allowTools: request.allowTools ?? [],
      denyTools: request.denyTools ?? [],
      secretFiles: request.secretPaths ?? [],
      now: () => new Date(),
    }),
    registerProviders(registry) {
      provider?.register(registry)
      if (localServer !== undefined) registerLocalServer(registry, localServer)
    },
    localModels: {
      find: () => parts.localServers(),
      offer: request.offerLocalModel,
      remember: (server) => rememberLocalServer(home, server),
    },
    ...(recorder === undefined ? {} : { recorder }),
  })
}
