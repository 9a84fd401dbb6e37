import { jsonLine } from '../../core/index.js'
import { refuseUsage } from '../faults.js'
import type { Invocation } from '../commands/command.js'
import { accountsOf, noSuchRequest } from './accounts.js'
import { contextRequestPieces } from './context-request-text.js'
import { threadContextText } from './context-text.js'
import { writePieces } from './output.js'
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
  const accounts = await accountsOf(invocation)
  if (request === undefined) {
    const context = await accounts.context(wished)
    const text = line.has('json') ? `${jsonLine(context)}\n` : threadContextText(context, outputStyle(invocation))
    await writePieces(io.stdout, [text])
    return 0
  }
  const detail = await accounts.contextRequest(wished, request === 'next' ? 'next' : Number(request))
  if (detail === undefined) throw noSuchRequest(request, (await accounts.context(wished)).requests.length)
  await writePieces(
    io.stdout,
    line.has('json') ? [`${jsonLine(detail)}\n`] : contextRequestPieces(detail, outputStyle(invocation)),
  )
  return 0
}
