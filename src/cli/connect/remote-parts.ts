import { randomUUID } from 'node:crypto'
import {
  EnsoError,
  type EnsoFollowSnapshot,
  ensoLogger,
  type EnsoSessionConfiguration,
  type StoredThreadSummary,
} from '../../core/index.js'
import { THINKING_LEVELS } from '../args/run-flags.js'
import type { CliIo } from '../io.js'
import type { ThreadsRequest } from '../threads-request.js'
import type { RunOptions } from '../run/run-options.js'
import type { RunRemote, RunThreads } from '../run/run-threads.js'
import type { ChosenThread } from '../run/chosen-thread.js'
import type { EnsoClient, ServedThreads } from './client.js'
import { createRemoteDialogs, type RemoteDialogs } from './remote-dialogs.js'
import { createRemoteFollow, type RemoteFollow } from './remote-follow.js'

const log = ensoLogger('host', 'remote')

export interface RemoteOptions {
  readonly client: EnsoClient
  readonly io: Pick<CliIo, 'clock'>
  /** Something a person should know. */
  readonly note: (text: string) => void
}

/** A run's thread in a server in place of one of this process. */
export function createRunRemote({ client, io, note }: RemoteOptions): RunRemote {
  let follow: RemoteFollow | undefined
  let dialogs: RemoteDialogs | undefined
  let onFault: (error: unknown) => void = () => undefined
  let snapshot: EnsoFollowSnapshot | undefined
  let stopReason: string | undefined

  async function choose(options: RunOptions): Promise<ChosenThread> {
    const threadId = await wishedThread(client, options)
    follow = createRemoteFollow({
      client,
      threadId,
      clock: io.clock,
      onFrame: (frame) => dialogs?.frame(frame),
      beforeSettled: async () => {
        stopReason = await lastStopReason(client, threadId)
      },
      note,
      onFault: (error) => onFault(error),
    })
    snapshot = await follow.opened
    await configure(client, threadId, options)
    const { cwd } = snapshot
    return { threadId, cwd, notes: [], request: { threadId, cwd, session: { kind: 'ephemeral' } } }
  }

  async function threads(
    request: ThreadsRequest,
    fault: (error: unknown) => void,
    cancels: boolean,
  ): Promise<RunThreads> {
    const served = follow
    if (served === undefined || snapshot === undefined) throw new EnsoError('host-fault', 'no thread was chosen')
    onFault = fault
    const { threadId } = snapshot
    const { dialogs: policy } = await request.openRequest(threadId)
    dialogs = createRemoteDialogs({ policy, cancels, answer: (body) => client.operate('dialog', threadId, body) })
    dialogs.frame(snapshot)
    return {
      ensure: () => Promise.resolve({ notes: [], lastStopReason: () => stopReason }),
      operate: (name, id, body) => client.operate(name, id, body),
      follow: (_id, sink) => Promise.resolve(served.follow(sink)),
      close: () => {
        served.close()
        return Promise.resolve()
      },
    }
  }

  return { list: () => storedList(client), choose, threads }
}

/** Where a served thread is, and in which file, is its server's to know. */
async function storedList(client: EnsoClient): Promise<readonly StoredThreadSummary[]> {
  const { stored } = await servedThreads(client)
  return stored.map(({ threadId, projectId, title, messageCount, lastActivityAt }) => {
    return { threadId, projectId, title, messageCount, lastActivityAt, file: '', cwd: '' }
  })
}

/** @throws EnsoError `thread-unknown`, `bad-input` */
async function wishedThread(client: EnsoClient, { thread }: RunOptions): Promise<string> {
  if (thread.kind === 'new') return thread.threadId ?? randomUUID()
  if (thread.kind === 'pick') throw new EnsoError('bad-input', '-r needs a thread id here')
  const { live, stored } = await servedThreads(client)
  if (thread.kind === 'latest') {
    const [newest] = stored
    if (newest === undefined) throw new EnsoError('thread-unknown', 'the server has no threads')
    return newest.threadId
  }
  const ids = new Set([...live, ...stored].map(({ threadId }) => threadId))
  if (ids.has(thread.threadId)) return thread.threadId
  const [only, ...others] = [...ids].filter((id) => id.startsWith(thread.threadId))
  if (only === undefined) throw new EnsoError('thread-unknown', `the server has no thread ${thread.threadId}`)
  if (others.length === 0) return only
  throw new EnsoError('bad-input', `${thread.threadId} fits several threads of the server`)
}

/** @throws EnsoError `host-fault` */
async function servedThreads(client: EnsoClient): Promise<ServedThreads> {
  const answer = await client.threads()
  if (answer.ok) return answer.value
  throw new EnsoError('host-fault', `the server does not list its threads: ${answer.refusal.reason}`)
}

/**
 * Why the last reply ended, in the runtime's word; unknown where the server doesn't know the thread. A server that can't
 * be asked any more has cut the reply off as far as anybody can tell.
 */
async function lastStopReason(client: EnsoClient, threadId: string): Promise<string | undefined> {
  try {
    const answer = await client.call('stats', threadId, undefined)
    if (answer.ok) return answer.value.turnStats.at(-1)?.stopReason
    return answer.refusal.code === 'not-found' ? undefined : 'aborted'
  } catch (error) {
    log.warn('the end of a run could not be asked about: {error}', { threadId, error: String(error) })
    return 'aborted'
  }
}

/** Model, thinking and mode of the command line, set before the prompt. @throws EnsoError `bad-input` */
async function configure(client: EnsoClient, threadId: string, options: RunOptions): Promise<void> {
  const { model, thinking } = splitModel(options.model)
  const wanted: EnsoSessionConfiguration = {
    ...(model === undefined ? {} : { model }),
    ...((options.thinking ?? thinking) === undefined ? {} : { thinking: options.thinking ?? thinking! }),
    ...(options.permissionMode === undefined ? {} : { mode: options.permissionMode }),
  }
  if (Object.keys(wanted).length === 0) return
  const answer = await client.call('configure', threadId, wanted)
  if (answer.ok) return
  const { code, reason } = answer.refusal
  throw new EnsoError(code === 'busy' ? 'thread-locked' : 'bad-input', reason)
}

function splitModel(text: string | undefined): { readonly model?: string; readonly thinking?: string } {
  if (text === undefined) return {}
  const at = text.lastIndexOf(':')
  const level = text.slice(at + 1)
  const isLevel = at > 0 && THINKING_LEVELS.some((known) => known === level)
  return isLevel ? { model: text.slice(0, at), thinking: level } : { model: text }
}
