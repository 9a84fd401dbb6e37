import { ENSO_PROMPT_BODY_MAX_BYTES, type EnsoReplyLine, type EnsoRefusal, refusal } from '../../core/index.js'
import type { CliInput } from '../io.js'
import type { DialogLedger } from '../run/dialog-policy.js'
import type { RequestSource, RunDoor } from '../run/run-door.js'
import type { JsonSurface } from './json-surface.js'
import { createRequestReader } from './request-reader.js'

/** More requests than this at work at once, and reading waits: a flood is held by its own pipe. */
const MAX_AT_WORK = 64

/** What the request lines of a run are read from and answered through. */
export interface RequestLinesOptions {
  readonly stdin: CliInput
  readonly surface: JsonSurface
  readonly ledger: DialogLedger
  /** The questions that wait now, by id. */
  readonly openDialogs: () => readonly string[]
  /** The command line gave the prompt: the end of input is no end of the run. */
  readonly oneShot: boolean
  /** The end of input stops even a one-shot run. */
  readonly stopOnEof: boolean
  /** Most bytes of one line; for tests. */
  readonly maxBytes?: number
}

/** A request line as it was read: what to do, and how to answer. */
interface Request {
  readonly name: string
  readonly requestId: string | undefined
  readonly body: Record<string, unknown>
}

type ParsedRequest =
  | { readonly ok: true; readonly request: Request }
  | { readonly ok: false; readonly requestId: string | undefined; readonly refusal: EnsoRefusal }

/** A line as a request. A `requestId` that can be read is echoed even where the rest can't. */
export function parseRequestLine(text: string): ParsedRequest {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return refused(undefined, `the line is not JSON: ${(error as Error).message}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refused(undefined, 'a request is a JSON object with a type')
  }
  const { type, requestId, ...body } = value as Record<string, unknown>
  const id = typeof requestId === 'string' && requestId !== '' ? requestId : undefined
  if (requestId !== undefined && id === undefined) return refused(undefined, 'requestId is a text that is not empty')
  if (typeof type !== 'string' || type === '') return refused(id, 'a request names its operation as type')
  return { ok: true, request: { name: type, requestId: id, body } }
}

function refused(requestId: string | undefined, reason: string): ParsedRequest {
  return { ok: false, requestId, refusal: refusal('malformed', reason) }
}

function refusalReply(requestId: string | undefined, line: number, refusal: EnsoRefusal): EnsoReplyLine {
  return { type: 'reply', ...(requestId === undefined ? {} : { requestId }), ok: false, line, refusal }
}

/**
 * Request lines on standard input as the source of a run's requests. Requests start in the order of their lines and
 * are answered when they are done. A line that is no request is refused and changes nothing.
 */
export function createRequestLines(options: RequestLinesOptions): RequestSource {
  const { stdin, surface, ledger } = options
  const maxBytes = options.maxBytes ?? ENSO_PROMPT_BODY_MAX_BYTES
  let door: RunDoor | undefined
  let atWork = 0
  let over = false

  const reader = createRequestReader(maxBytes, {
    line: (text, number) => {
      ledger.heardFrom()
      const parsed = parseRequestLine(text)
      if (parsed.ok) void serve(parsed.request, number)
      else surface.reply(refusalReply(parsed.requestId, number, parsed.refusal))
    },
    unreadable: (reason, number) => {
      ledger.heardFrom()
      const why =
        reason === 'too-large'
          ? refusal('too-large', `the line is longer than ${maxBytes} bytes`)
          : refusal('malformed', 'the line is not UTF-8')
      surface.reply(refusalReply(undefined, number, why))
    },
  })

  async function serve({ name, requestId, body }: Request, line: number): Promise<void> {
    if (!door) return
    atWork++
    const outcome = await door.operate(name, body)
    atWork--
    if (!outcome.ok) surface.reply(refusalReply(requestId, line, outcome.refusal))
    else if (requestId !== undefined) {
      surface.reply({ type: 'reply', requestId, ok: true, result: outcome.status === 204 ? null : outcome.result })
    }
    readOn()
  }

  /** Reads while answers can keep up. */
  function readOn(): void {
    if (over) return
    if (atWork < MAX_AT_WORK && !surface.isBehind()) {
      stdin.resume()
      return
    }
    stdin.pause()
    if (surface.isBehind()) surface.onReady(readOn)
  }

  function onData(chunk: Buffer | string): void {
    reader.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
    readOn()
  }

  function onEnd(): void {
    if (over) return
    reader.end()
    detach()
    ledger.channelClosed()
    for (const id of options.openDialogs()) {
      ledger.unattended(id)
      void door?.operate('dialog', { id, cancelled: true })
    }
    if (!options.oneShot) door?.finish()
    else if (options.stopOnEof) door?.stop('abort')
  }

  function detach(): void {
    over = true
    stdin.off('data', onData).off('end', onEnd).off('close', onEnd)
    stdin.pause()
  }

  return {
    open(opened) {
      door = opened
      stdin.on('data', onData).on('end', onEnd).on('close', onEnd)
      // A standard input that can't be read is one that says nothing more.
      stdin.on('error', onEnd)
      if (stdin.readableEnded || stdin.destroyed) onEnd()
    },
    close() {
      if (!over) detach()
    },
  }
}
