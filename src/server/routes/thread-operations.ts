import {
  ENSO_PROJECT_HEADER,
  ENSO_PROMPT_BODY_MAX_BYTES,
  EnsoConfigurationRefusal,
  type EnsoRefusal,
  ensoLogger,
  isEnsoProjectId,
  refusal,
  withEnsoLogContext,
} from '../../core/index.js'
import { type Operation, type OperationOutcome, operations } from '../../thread/operations.js'
import { bypassRefusal } from '../guards/bypass-mode.js'
import {
  answer,
  refusedAnswer,
  type RouteAnswer,
  type RouteCall,
  type ServerRoute,
  SMALL_BODY_BYTES,
} from '../route.js'
import type { RouteDeps } from './deps.js'

const log = ensoLogger('server', 'operations')

/** An answer may be a whole text that was edited. */
const DIALOG_BODY_BYTES = 1024 * 1024

const BODY_LIMITS: Readonly<Record<string, number>> = {
  prompt: ENSO_PROMPT_BODY_MAX_BYTES,
  dialog: DIALOG_BODY_BYTES,
}

/** The routes of the operations table, one an entry. */
export function operationRoutes(deps: RouteDeps): readonly ServerRoute[] {
  return operations.map((operation) => operationRoute(operation, deps))
}

function operationRoute(operation: Operation, deps: RouteDeps): ServerRoute {
  const { name, method, path, summary, success, result, refusals } = operation
  const takesBody = method === 'POST' && operation.body !== undefined
  return {
    name,
    method,
    path,
    summary,
    access: 'token',
    success: name === 'command' ? [204, 202] : [success],
    ...(takesBody ? { body: operation.body } : {}),
    bodyLimit: BODY_LIMITS[name] ?? SMALL_BODY_BYTES,
    result,
    takesProject: true,
    refusals: name === 'prompt' ? [...refusals, 'too-many-requests'] : refusals,
    ...(name === 'configure' ? { refusalBody: EnsoConfigurationRefusal } : {}),
    handle: (call) => operate(operation, call, deps),
  }
}

async function operate(operation: Operation, call: RouteCall, deps: RouteDeps): Promise<RouteAnswer> {
  const { threadId = '', ...others } = call.params
  const projectHint = call.header(ENSO_PROJECT_HEADER)
  if (projectHint !== undefined && !isEnsoProjectId(projectHint)) {
    return refusedAnswer(refusal('malformed', `${ENSO_PROJECT_HEADER} holds no project id`))
  }
  // What a reading operation takes stands in its path.
  const body = operation.method === 'GET' && operation.body !== undefined ? others : call.body
  return withEnsoLogContext({ threadId }, async () => {
    const refused = bypassRefusal(call.body, deps.allowBypass) ?? queueRefusal(operation, threadId, deps)
    const outcome: OperationOutcome =
      refused === undefined
        ? await deps.threads.operate(operation.name, threadId, body, { projectHint })
        : { ok: false, refusal: refused }
    if (operation.name === 'mode' || operation.name === 'configure') noteSetting(operation.name, call, outcome)
    return answerOf(outcome)
  })
}

function queueRefusal({ name }: Operation, threadId: string, { queues }: RouteDeps): EnsoRefusal | undefined {
  if (name !== 'prompt' || !queues.isFull(threadId)) return undefined
  return refusal('too-many-requests', 'too many prompts wait on this thread')
}

function answerOf(outcome: OperationOutcome): RouteAnswer {
  if (!outcome.ok) return refusedAnswer(outcome.refusal, outcome.body)
  return outcome.status === 204 || outcome.result === null
    ? { kind: 'empty', status: outcome.status }
    : answer(outcome.status, outcome.result)
}

/** Who changed how a thread may act is written down, refused or not. */
function noteSetting(operation: string, call: RouteCall, outcome: OperationOutcome): void {
  const { mode } = (call.body ?? {}) as { mode?: unknown }
  if (typeof mode !== 'string') return
  log.info('{operation} asked for mode {mode} from {origin}: {outcome}', {
    operation,
    mode: mode.slice(0, 64),
    origin: call.header('origin') ?? 'a program',
    outcome: outcome.ok ? 'taken' : outcome.refusal.code,
  })
}
