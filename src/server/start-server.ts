import { EnsoError, ensoLogger, type ObservedEvent, type OpenThreadRequest } from '../core/index.js'
import type { EnsoHome } from '../system/home.js'
import type { Threads } from '../thread/threads.js'
import { addressesOf, hostInUrl } from './addresses.js'
import { createServerApp } from './app.js'
import { bindRefusal } from './guards/bind-address.js'
import { createQueueWatch } from './guards/queue-limit.js'
import { type Listening, listen } from './listen.js'
import { createOpenRequest, type ThreadDefaults } from './open-request.js'
import { createProjects } from './projects/projects.js'
import { projectRoots } from './projects/roots.js'
import { createProjectsFile } from './projects/state-file.js'
import type { RouteDeps } from './routes/deps.js'
import { createStallWatch } from './stall-watch.js'
import type { TokenSource } from './token/token.js'

const log = ensoLogger('server', 'start')

/** How long connections have to end by themselves once every follow has been ended, in milliseconds. */
const DRAIN_MS = 2000

/** What a server is started with. */
export interface ServerStart extends Pick<
  RouteDeps,
  'store' | 'locks' | 'redactor' | 'about' | 'version' | 'clock' | 'allowBypass' | 'limits'
> {
  readonly host: string
  readonly allowRemote: boolean
  readonly port: number
  readonly publicUrl?: URL | undefined
  readonly token: TokenSource
  readonly home: EnsoHome
  readonly env: Readonly<Record<string, string | undefined>>
  /** Canonical. */
  readonly launchDir: string
  /** As the person configured them. */
  readonly projectRoots: readonly string[]
  readonly defaults: ThreadDefaults
  readonly stall: { readonly afterMs: number; readonly cut: boolean }
  /** Makes the threads over a way to open each, and tells what they observe. */
  readonly makeThreads: (
    openRequest: (threadId: string, projectHint?: string) => Promise<Omit<OpenThreadRequest, 'beforeAppend'>>,
    observed: (event: ObservedEvent) => void,
  ) => Promise<Threads>
}

/** A server that runs. */
export interface StartedServer {
  /** Where it listens, without a path. */
  readonly url: string
  readonly token: string
  /** Takes no more, ends runs and follows in bounded time, and lets every connection go. */
  close(): Promise<void>
}

/**
 * Starts a server. Builds no thread and loads no agent library: that is left to the first prompt.
 * @throws EnsoError `bad-input` when the address can't be listened on
 */
export async function startServer(start: ServerStart): Promise<StartedServer> {
  const { host, port, publicUrl, home, clock, token } = start
  const refused = bindRefusal(host, start.allowRemote)
  if (refused !== undefined) {
    throw new EnsoError('bad-input', refused, { hint: 'a reverse proxy or ssh reaches 127.0.0.1; or --allow-remote' })
  }
  const projects = createProjects({
    launchDir: start.launchDir,
    roots: projectRoots(start.projectRoots, start.env),
    file: createProjectsFile(home.projectsFile),
  })
  const openRequest = createOpenRequest({
    store: start.store,
    projects,
    threadsDir: home.threadsDir,
    defaults: start.defaults,
  })
  const queues = createQueueWatch()
  let watch: (event: ObservedEvent) => void = () => undefined
  const threads = await start.makeThreads(openRequest, (event) => {
    queues.observed(event)
    watch(event)
  })
  const stall = createStallWatch({
    ...start.stall,
    clock,
    live: () => threads.live(),
    warn: (threadId, id, message) => threads.warn(threadId, id, message),
    stop: (threadId) => threads.operate('abort', threadId, undefined),
  })
  watch = (event) => stall.observed(event)
  const listening = await listen(host, port, (bound) => {
    const addresses = addressesOf({ host, port: bound, publicUrl })
    return createServerApp({ ...start, threads, projects, queues, logsDir: home.logsDir, addresses: () => addresses })
  }).catch(async (error: unknown) => {
    stall.close()
    await threads.close()
    throw error
  })
  log.info('listening on {host} port {port}', { host, port: listening.port, publicUrl: publicUrl?.origin })
  return {
    url: `http://${hostInUrl(host)}:${listening.port}`,
    token: token.current() ?? '',
    close: () => close(listening, threads, () => stall.close()),
  }
}

async function close(listening: Listening, threads: Threads, stopWatching: () => void): Promise<void> {
  log.info('draining')
  listening.stop()
  stopWatching()
  await threads.close()
  await listening.drain(DRAIN_MS)
  log.info('drained')
}
