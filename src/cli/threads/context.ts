import { EnsoError, foldContextRequest, foldThreadContext, jsonLine } from '../../core/index.js'
import { refuseUsage } from '../faults.js'
import type { Invocation } from '../commands/command.js'
import { contextRequestPieces } from './context-request-text.js'
import { threadContextText } from './context-text.js'
import { writePieces } from './output.js'
import { findRecords } from './records.js'
import { outputStyle } from './subcommand.js'

/** `enso threads context ID [REQUEST]`: what the context is made of, or one request's in full. */
export async function showThreadContext(
  invocation: Invocation,
  [wished = '', request]: readonly string[],
): Promise<number> {
  const { line, io } = invocation
  if (request !== undefined && request !== 'next' && !/^[1-9]\d{0,8}$/.test(request)) {
    return refuseUsage(io, [], { reason: `'${request}' is no request: a number from 1, or next` })
  }
  const { ref, records } = await findRecords(invocation, wished)
  const input = { threadId: ref.threadId, live: false, records }
  if (request === undefined) {
    const context = foldThreadContext(input)
    const text = line.has('json') ? `${jsonLine(context)}\n` : threadContextText(context, outputStyle(invocation))
    await writePieces(io.stdout, [text])
    return 0
  }
  const detail = foldContextRequest(input, request === 'next' ? 'next' : Number(request))
  if (detail === undefined) {
    const count = foldThreadContext(input).requests.length
    throw new EnsoError('bad-input', `the thread has no request ${request}`, {
      hint: count === 0 ? 'it has none; next is the one that would come' : `it has ${count}; next is the one to come`,
    })
  }
  await writePieces(
    io.stdout,
    line.has('json') ? [`${jsonLine(detail)}\n`] : contextRequestPieces(detail, outputStyle(invocation)),
  )
  return 0
}
