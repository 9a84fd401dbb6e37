import { arch, release, type as osType } from 'node:os'
import type { CliIo } from '../cli/io.js'
import type { CliParts } from '../cli/parts.js'
import type { RunningServer, ServeRequest } from '../cli/serve/serve-request.js'
import type { KnownSecrets } from '../log/redact/known-secrets.js'
import { createKnownSecrets } from '../log/redact/known-secrets.js'
import { createRedactor, type Redactor } from '../log/redact/redactor.js'
import { startServer } from '../server/start-server.js'
import { createKeptToken } from '../server/token/token-file.js'
import { createOwnToken } from '../server/token/token.js'
import { createThreadLocks } from '../thread/thread-lock.js'

/** What of the program a server is made over. */
export interface ServeWorld {
  readonly parts: CliParts
  readonly io: CliIo
  /** The agent library's version. */
  readonly pi: string
  /** The process's log, where it has one: what is secret is made known to it. */
  readonly log: { readonly secrets: KnownSecrets; readonly redactor: Redactor } | undefined
}

/** Starts a server over the program's own threads, store and log. */
export async function serveThreads(request: ServeRequest, { parts, io, log, pi }: ServeWorld): Promise<RunningServer> {
  // A token for another server is nothing that a thread's commands may find.
  delete process.env['ENSO_TOKEN']
  const { tokenFile, dialogs, cwd, script, takeOver, idleMs, clock } = request
  const token = tokenFile === undefined ? createOwnToken() : createKeptToken(tokenFile)
  const noted = token.current()
  if (noted !== undefined) log?.secrets.add(noted)
  const { projects } = await parts.userConfig()
  return startServer({
    ...request,
    allowBypass: request.guarding.allowBypass ?? false,
    token,
    home: parts.home,
    env: io.env,
    launchDir: cwd,
    projectRoots: projects?.roots ?? [],
    defaults: { ...request.defaults, dialogs, allowNoModel: true },
    store: await parts.store(),
    locks: createThreadLocks(),
    redactor: () => log?.redactor ?? createRedactor(createKnownSecrets()),
    about: () => ({
      enso: parts.version,
      pi,
      bun: `node ${process.versions.node}`,
      os: `${osType()} ${release()} ${arch()}`,
    }),
    version: parts.version,
    makeThreads: (openRequest, observed) =>
      parts.threads({
        cwd,
        ...request.guarding,
        ...(script === undefined ? {} : { script }),
        ...(tokenFile === undefined ? {} : { secretPaths: [tokenFile] }),
        openRequest,
        lock: true,
        takeOver,
        clock,
        ...(idleMs === undefined ? {} : { idleMs }),
        observed,
      }),
  })
}
