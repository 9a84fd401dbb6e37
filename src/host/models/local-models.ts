import { EnsoError, localModelName, localServersHint } from '../../core/index.js'
import type { AgentHost, EnsoLocalServer, FoundLocalServer, HostedThread, OpenThreadRequest } from '../../core/index.js'

export interface LocalModelsDeps {
  /** Looks for model servers on this machine. Takes a moment, so it is asked only when there is no model. */
  find(): Promise<readonly FoundLocalServer[]>
  /** Asks the person; `undefined` where nobody can be asked. Resolves to nothing when they don't agree. */
  readonly offer: ((servers: readonly FoundLocalServer[]) => Promise<EnsoLocalServer | undefined>) | undefined
  /** Makes an agreed model usable, and remembers it. */
  agreed(server: EnsoLocalServer): void
}

/**
 * A host that, where no model was chosen and none has credentials, offers one of a server on this machine. Nothing goes
 * to such a server before somebody agreed: another user may listen where it is expected.
 */
export function withLocalModels<Host extends AgentHost>(host: Host, deps: LocalModelsDeps): Host {
  /** A thread that may be open without a model gets one, where somebody agrees. */
  async function offeredTo(hosted: HostedThread, { allowNoModel, model }: OpenThreadRequest): Promise<HostedThread> {
    if (allowNoModel !== true || model !== undefined || deps.offer === undefined) return hosted
    if (hosted.runtime.modelState().model !== null) return hosted
    const servers = await deps.find()
    const server = servers.length === 0 ? undefined : await deps.offer(servers)
    if (server === undefined) return hosted
    deps.agreed(server)
    await hosted.runtime.runHostCommand({ name: 'model', value: localModelName(server) })
    return hosted
  }

  return {
    ...host,
    async openThread(request) {
      try {
        return await offeredTo(await host.openThread(request), request)
      } catch (error) {
        if (!(error instanceof EnsoError) || error.code !== 'no-model' || request.model !== undefined) throw error
        const servers = await deps.find()
        if (servers.length === 0) throw error
        const server = await deps.offer?.(servers)
        if (server === undefined) {
          throw new EnsoError('no-model', error.message, { cause: error, hint: localServersHint(servers) })
        }
        deps.agreed(server)
        return host.openThread({ ...request, model: localModelName(server) })
      }
    },
  }
}
