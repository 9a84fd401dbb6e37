import type { Static, TSchema } from '@sinclair/typebox'
import {
  EnsoAbortReceipt,
  EnsoContextRequestChoice,
  EnsoContextRequestDetail,
  EnsoDialogBody,
  EnsoHostCommandRun,
  EnsoPermissionModeChange,
  EnsoPromptBody,
  EnsoPromptReceipt,
  EnsoSessionConfiguration,
  EnsoSessionUsage,
  EnsoThreadCommands,
  EnsoThreadContext,
  EnsoThreadEvents,
  EnsoThreadHistory,
  EnsoThreadInspection,
  EnsoThreadStats,
  EnsoThreadTimeline,
  lazyValidator,
  shapeReason,
} from '../core/index.js'
import { stopThread } from './abort.js'
import { readContext, readContextRequest, readStats, readTimeline } from './account.js'
import { admitPrompt } from './admit.js'
import { answerDialog, answerReason } from './answer.js'
import { runCommand } from './command.js'
import { configureThread } from './configure.js'
import { inspectThread, listCommands, readEvents, readHistory, readUsage } from './look.js'
import { changeMode } from './mode.js'
import { type Operation, type OperationCall, type OperationOutcome, refused } from './operation.js'

export type { Operation, OperationContext, OperationOutcome } from './operation.js'

interface Definition {
  readonly summary: string
  readonly method: Operation['method']
  /** Where it is not the operation's name under the thread. */
  readonly path?: string
  readonly success: Operation['success']
  readonly result: TSchema | null
  readonly refusals: Operation['refusals']
  /** Says of a body of a wrong shape what is wrong, where the shape alone would say it badly. */
  readonly reason?: (body: unknown) => string | undefined
}

/** An operation that takes a body: `handle` is only called with one of its shape. */
function taking<Body extends TSchema>(
  name: string,
  body: Body,
  { reason, ...definition }: Definition,
  handle: (call: OperationCall<Static<Body>>) => Promise<OperationOutcome>,
): Operation {
  const validator = lazyValidator(body)
  return operationOf(name, body, definition, async (call) => {
    if (validator.check(call.body)) return handle({ ...call, body: call.body })
    return refused('malformed', reason?.(call.body) ?? shapeReason(body, call.body) ?? 'not of the expected shape')
  })
}

/** An operation that is asked with nothing but the thread. */
function asking(name: string, definition: Definition, handle: Operation['handle']): Operation {
  return operationOf(name, undefined, definition, handle)
}

function operationOf(
  name: string,
  body: TSchema | undefined,
  { path = `/api/threads/:threadId/${name}`, ...definition }: Definition,
  handle: Operation['handle'],
): Operation {
  return { name, path, body, ...definition, handle }
}

/**
 * Every operation of a thread, once. The HTTP routes, the JSON lines' requests, the printed schemas and the tables of
 * the documentation are made from this list.
 */
export const operations: readonly Operation[] = [
  taking(
    'prompt',
    EnsoPromptBody,
    {
      summary: 'Say something to the agent; the receipt is its admission.',
      method: 'POST',
      success: 202,
      result: EnsoPromptReceipt,
      refusals: ['malformed', 'busy', 'too-large', 'refused'],
    },
    admitPrompt,
  ),
  taking(
    'dialog',
    EnsoDialogBody,
    {
      summary: 'Answer or cancel an open question.',
      method: 'POST',
      success: 204,
      result: null,
      refusals: ['malformed', 'not-found', 'unknown-dialog', 'refused'],
      reason: answerReason,
    },
    answerDialog,
  ),
  asking(
    'abort',
    {
      summary: 'Stop what goes on and take back the prompts that wait.',
      method: 'POST',
      success: 200,
      result: EnsoAbortReceipt,
      refusals: ['malformed', 'not-found'],
    },
    stopThread,
  ),
  taking(
    'command',
    EnsoHostCommandRun,
    {
      summary: 'Run a host command: 204 when applied, 202 when it has begun.',
      method: 'POST',
      success: 204,
      result: null,
      refusals: ['malformed', 'busy', 'refused'],
    },
    runCommand,
  ),
  taking(
    'configure',
    EnsoSessionConfiguration,
    {
      summary: 'Apply model, thinking and mode together, in this order.',
      method: 'POST',
      success: 204,
      result: null,
      refusals: ['malformed', 'busy', 'refused'],
    },
    configureThread,
  ),
  taking(
    'mode',
    EnsoPermissionModeChange,
    {
      summary: 'Switch the permission mode.',
      method: 'POST',
      success: 202,
      result: null,
      refusals: ['malformed', 'busy', 'refused'],
    },
    changeMode,
  ),
  asking(
    'commands',
    {
      summary: 'List the slash commands the thread can run.',
      method: 'GET',
      success: 200,
      result: EnsoThreadCommands,
      refusals: ['malformed'],
    },
    listCommands,
  ),
  asking(
    'history',
    {
      summary: 'Read the thread’s messages and the mode it was left in.',
      method: 'GET',
      success: 200,
      result: EnsoThreadHistory,
      refusals: ['malformed'],
    },
    readHistory,
  ),
  asking(
    'events',
    {
      summary: 'Read what a live thread’s runtime observed and what was sent of it.',
      method: 'GET',
      success: 200,
      result: EnsoThreadEvents,
      refusals: ['malformed', 'not-found'],
    },
    readEvents,
  ),
  asking(
    'timeline',
    {
      summary: 'Read a thread’s events and log records in one list.',
      method: 'GET',
      success: 200,
      result: EnsoThreadTimeline,
      refusals: ['malformed', 'not-found'],
    },
    readTimeline,
  ),
  asking(
    'stats',
    {
      summary: 'Read a thread in numbers: prompts, requests, tool calls, times, cost.',
      method: 'GET',
      success: 200,
      result: EnsoThreadStats,
      refusals: ['malformed', 'not-found'],
    },
    readStats,
  ),
  asking(
    'context',
    {
      summary: 'Read what each request of a thread carried, and what the next one would.',
      method: 'GET',
      success: 200,
      result: EnsoThreadContext,
      refusals: ['malformed', 'not-found'],
    },
    readContext,
  ),
  taking(
    'context-request',
    EnsoContextRequestChoice,
    {
      summary: 'Read one request’s context, element by element.',
      method: 'GET',
      path: '/api/threads/:threadId/context/:request',
      success: 200,
      result: EnsoContextRequestDetail,
      refusals: ['malformed', 'not-found'],
    },
    readContextRequest,
  ),
  asking(
    'usage',
    {
      summary: 'Read what the thread has spent and how full its context is.',
      method: 'GET',
      success: 200,
      result: EnsoSessionUsage,
      refusals: ['malformed'],
    },
    readUsage,
  ),
  asking(
    'inspect',
    {
      summary: 'Read a live thread in full.',
      method: 'GET',
      path: '/api/threads/:threadId',
      success: 200,
      result: EnsoThreadInspection,
      refusals: ['malformed', 'not-found'],
    },
    inspectThread,
  ),
]

/** The operation of a name, if there is one. */
export function operationNamed(name: string): Operation | undefined {
  return operations.find((operation) => operation.name === name)
}
