import type { DialogPolicy } from '../../core/index.js'
import type { CliClock } from '../io.js'
import type { ThreadsRequest } from '../threads-request.js'
import type { GuardingOptions } from '../run/run-options.js'
import type { OpenRequest } from '../run/chosen-thread.js'

/** What a server is asked to be. */
export interface ServeRequest {
  readonly host: string
  /** Listen also on an address that other machines reach. */
  readonly allowRemote: boolean
  /** 0 takes a free one. */
  readonly port: number
  /** Where a reverse proxy shows the server. */
  readonly publicUrl?: URL | undefined
  /** Absolute; a token of this start alone when absent. */
  readonly tokenFile?: string | undefined
  /** Absolute and canonical: the folder threads work in unless a project is named. */
  readonly cwd: string
  readonly script?: ThreadsRequest['script']
  readonly takeOver: boolean
  readonly idleMs?: number | undefined
  readonly stall: { readonly afterMs: number; readonly cut: boolean }
  readonly guarding: GuardingOptions
  /** How every thread is opened; model, thinking and mode are a new one's. */
  readonly defaults: Omit<OpenRequest, 'threadId' | 'cwd' | 'session'>
  readonly dialogs: DialogPolicy
  readonly clock: CliClock
}

/** A server that listens. */
export interface RunningServer {
  /** Where it listens, without a path. */
  readonly url: string
  readonly token: string
  /** Takes no more, ends runs and follows in bounded time. */
  close(): Promise<void>
}
