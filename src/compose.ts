// Puts the program together: the only file that names the host, the threads and the surfaces at once. Each part is
// loaded when something asks for it.
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import type { CliIo } from './cli/io.js'
import type { CliParts } from './cli/parts.js'
import type { RealStdout } from './cli/run/real-stdout.js'
import type { ThreadsRequest } from './cli/threads-request.js'
import type { RunProcess } from './cli/run/run-process.js'
import type { AgentHost, EnsoUserConfig } from './core/index.js'
import { AGENT_LIBRARY } from './host/agent-library.js'
import { credentialFilesOf } from './log/credential-files.js'
import type { ObservationLog } from './log/observation-log.js'
import type { Telemetry } from './log/otel/telemetry.js'
import { wantsTelemetry } from './log/otel/wanted.js'
import type { TypedSecrets } from './log/typed-secrets.js'
import type { KnownSecrets } from './log/redact/known-secrets.js'
import type { Redactor } from './log/redact/redactor.js'
import { type EnsoHome, ensoHome } from './system/home.js'
import type { Threads } from './thread/threads.js'

/** How long a process may stay alive after its last word, in milliseconds. */
const LINGER_MS = 1000

/** What this installation is made of: the build has put into it what its package only needs to be built. */
function packageFacts(): { readonly version: string; readonly devDependencies: Readonly<Record<string, string>> } {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return JSON.parse(text) as ReturnType<typeof packageFacts>
}

async function makeThreads(
  parts: CliParts,
  request: ThreadsRequest,
  log: () => StartedLog | undefined,
): Promise<Threads> {
  const [{ createThreads }, { createThreadLocks }, { createThreadLogReader }] = await Promise.all([
    import('./thread/threads.js'),
    import('./thread/thread-lock.js'),
    import('./log/thread-log.js'),
  ])
  const { script, openRequest } = request
  let host: Promise<AgentHost> | undefined
  // What failed to load is asked for again: a server goes on after the fault was corrected.
  const notKept = (error: unknown): never => {
    host = undefined
    throw error
  }
  const threads = createThreads({
    host: () => (host ??= parts.agentHost(request).catch(notKept)),
    store: await parts.store(),
    openRequest: async (threadId, projectHint) => {
      const opened = await openRequest(threadId, projectHint)
      // A script stands in for whatever model would have been taken.
      if (script === undefined || opened.model !== undefined) return opened
      const { scriptProvider } = await import('./compose/load-host.js')
      return { ...opened, model: (await scriptProvider(script)).model }
    },
    locks: request.lock ? createThreadLocks({ takeOver: request.takeOver }) : undefined,
    clock: request.clock,
    observed: (event) => {
      log()?.observations.observe(event)
      log()?.typed.observe(event)
      log()?.telemetry?.observe(event)
      request.observed?.(event)
    },
    log: createThreadLogReader({ logsDir: parts.home.logsDir, flush: () => log()?.flush() }),
    ...(request.idleMs === undefined ? {} : { idleMs: request.idleMs }),
  })
  return {
    ...threads,
    operate(name, threadId, body, context) {
      if (name === 'dialog') log()?.typed.answering(threadId, body)
      return threads.operate(name, threadId, body, context)
    },
    async close() {
      await threads.close()
      const built = await host?.catch(() => undefined)
      await built?.dispose()
    },
  }
}

/** A process's log: where its threads' observations go, and its end. */
interface StartedLog {
  readonly observations: ObservationLog
  readonly typed: TypedSecrets
  readonly telemetry: Telemetry | undefined
  readonly secrets: KnownSecrets
  readonly redactor: Redactor
  /** Writes what has been logged to the file. */
  readonly flush: () => void
  readonly end: () => Promise<void>
}

async function startLog(parts: CliParts, io: CliIo, level: string | undefined, writer: string): Promise<StartedLog> {
  const [
    { configureLogging },
    { createObservationLog },
    { createTypedSecrets },
    { createKnownSecrets },
    { parseLogTier },
    { logs },
  ] = await Promise.all([
    import('./log/configure.js'),
    import('./log/observation-log.js'),
    import('./log/typed-secrets.js'),
    import('./log/redact/known-secrets.js'),
    import('./log/levels.js'),
    parts.userConfig(),
  ])
  const tier = level === undefined ? undefined : parseLogTier(level)
  const secrets = createKnownSecrets()
  const handle = await configureLogging({
    logsDir: parts.home.logsDir,
    process: writer,
    env: logs?.level === undefined ? io.env : { ...io.env, ENSO_LOG_LEVEL: logs.level },
    secrets,
    credentialFiles: credentialFilesOf(parts.home.agentDir),
    stderr: io.stderr,
    clock: io.clock,
    ...(tier === undefined ? {} : { level: tier }),
    ...(logs?.retentionDays === undefined ? {} : { retentionDays: logs.retentionDays }),
  })
  const observations = createObservationLog(handle.redactor)
  const telemetry = wantsTelemetry(io.env)
    ? (await import('./log/otel/telemetry.js')).createTelemetry({
        env: io.env,
        version: parts.version,
        redactor: handle.redactor,
        clock: io.clock,
      })
    : undefined
  const flush = (): void => {
    observations.endAll()
    handle.flushSync()
  }
  process.once('exit', flush)
  return {
    observations,
    typed: createTypedSecrets(secrets),
    telemetry,
    secrets,
    redactor: handle.redactor,
    flush: () => handle.flushSync(),
    async end() {
      process.off('exit', flush)
      observations.endAll()
      await telemetry?.end()
      await handle.close()
    },
  }
}

function createParts(io: CliIo, home: EnsoHome, stdout: RealStdout): CliParts {
  let runProcess: RunProcess | undefined
  let config: EnsoUserConfig | undefined
  let log: StartedLog | undefined
  const { version, devDependencies } = packageFacts()
  const parts: CliParts = {
    version,
    agentLibrary: { name: AGENT_LIBRARY, version: devDependencies[AGENT_LIBRARY] ?? 'unknown' },
    home,
    get runProcess() {
      return runProcess
    },
    async guardProcess() {
      const [{ createRunProcess, runRecordDir }, { guardChildStdio }] = await Promise.all([
        import('./cli/run/run-process.js'),
        import('./cli/run/child-stdio.js'),
      ])
      runProcess ??= createRunProcess({ stdout, guardChildren: guardChildStdio, recordDir: runRecordDir(home.root) })
    },
    async userConfig() {
      const [{ readUserConfig }, { withEnvironment }] = await Promise.all([
        import('./cli/config/config-files.js'),
        import('./cli/config/environment.js'),
      ])
      return (config ??= withEnvironment(readUserConfig(home.configFile), io.env))
    },
    async workspaceConfig(cwd) {
      const { findWorkspaceConfig } = await import('./cli/config/config-files.js')
      return findWorkspaceConfig(cwd)
    },
    async guardCheck({ cwd, attended }) {
      const [{ createGuardCheck }, { guard }] = await Promise.all([
        import('./host/extensions/guards/check.js'),
        parts.userConfig(),
      ])
      return createGuardCheck({
        cwd,
        home: io.env['HOME'] || homedir(),
        env: io.env,
        ensoRoot: home.root,
        agentDir: home.agentDir,
        ...(guard === undefined ? {} : { userGuard: guard }),
        canAsk: () => attended,
      })
    },
    async localServers() {
      const [{ findLocalServers, localPlaces }, { portOwner }] = await Promise.all([
        import('./host/models/find-local-servers.js'),
        import('./system/port-owner.js'),
      ])
      return findLocalServers(localPlaces(io.env), { portOwner, uid: process.getuid?.() })
    },
    async store() {
      const { createSessionStore } = await import('./host/session/session-store.js')
      return createSessionStore({ threadsDir: home.threadsDir })
    },
    async agentHost(request) {
      const { loadHost } = await import('./compose/load-host.js')
      return loadHost(parts, io.env, request)
    },
    threads: (request) => makeThreads(parts, request, () => log),
    async probeSandbox() {
      const { probeSandbox } = await import('./host/sandbox/sandbox.js')
      return probeSandbox()
    },
    async openApi() {
      const { printedOpenApi } = await import('./server/routes/described.js')
      return printedOpenApi(parts.version)
    },
    async serve(request) {
      const { serveThreads } = await import('./compose/serve-threads.js')
      return serveThreads(request, { parts, io, log, pi: parts.agentLibrary.version })
    },
    async startLog(level, writer = 'cli') {
      log = await startLog(parts, io, level, writer)
      return log.end
    },
  }
  return parts
}

/** Runs the command line of this process. Sets its exit code; the process ends by itself when all has been written. */
export async function run(): Promise<void> {
  const { takeStdout } = await import('./cli/run/take-stdout.js')
  // Before anything is loaded that could write there.
  const stdout = takeStdout()
  const [{ nodeIo }, { main }, { exitCodeOfOutput }] = await Promise.all([
    import('./cli/io-node.js'),
    import('./cli/main.js'),
    import('./cli/lost-output.js'),
  ])
  const { io, close } = nodeIo(stdout.stream)
  const exitCode = await main(io, createParts(io, ensoHome(io.env), stdout))
  process.exitCode = exitCode
  await close()
  process.exitCode = exitCodeOfOutput(io, exitCode)
  // Whatever a library left open must not keep the process: it has said its last word.
  setTimeout(() => process.exit(), LINGER_MS).unref()
}
