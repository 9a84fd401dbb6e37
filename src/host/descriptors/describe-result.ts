import type { EnsoToolResultDescriptor, EnsoTruncation } from '../../core/tool-result.js'

/** What is known of a finished tool call when it is described. */
export interface FinishedCall {
  readonly toolName: string
  readonly input: Readonly<Record<string, unknown>>
  /** The result's text parts, joined. */
  readonly text: string
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly isError: boolean
}

interface LibraryTruncation {
  readonly truncated: boolean
  readonly truncatedBy: 'lines' | 'bytes' | null
  readonly totalLines: number
  readonly totalBytes: number
  readonly outputLines: number
  readonly outputBytes: number
}

/**
 * A result of one of the agent library's own tools as data: what a surface needs to draw it without reading its text.
 * `undefined` for a tool that isn't known here: its text is all there is.
 */
export function describeResult(call: FinishedCall): EnsoToolResultDescriptor | undefined {
  const describe = DESCRIBERS[call.toolName]
  if (describe === undefined) return undefined
  const truncated = truncationOf(call)
  return { kind: call.toolName, props: describe(call), ...(truncated === undefined ? {} : { truncated }) }
}

type Describe = (call: FinishedCall) => Record<string, unknown>

const pathOf = ({ input }: FinishedCall): string => String(input['path'] ?? input['file_path'] ?? '')

const DESCRIBERS: Readonly<Record<string, Describe>> = Object.assign(Object.create(null) as object, {
  read: (call: FinishedCall) => ({
    path: pathOf(call),
    ...(typeof call.input['offset'] === 'number' ? { offset: call.input['offset'] } : {}),
    ...(typeof call.input['limit'] === 'number' ? { limit: call.input['limit'] } : {}),
  }),
  bash: (call: FinishedCall) => ({
    command: String(call.input['command'] ?? ''),
    ...bashEnding(call),
    ...(typeof call.details?.['fullOutputPath'] === 'string' ? { fullOutputPath: call.details['fullOutputPath'] } : {}),
  }),
  edit: (call: FinishedCall) => ({
    path: pathOf(call),
    ...(typeof call.details?.['diff'] === 'string' ? { diff: call.details['diff'] } : {}),
    ...(typeof call.details?.['firstChangedLine'] === 'number'
      ? { firstChangedLine: call.details['firstChangedLine'] }
      : {}),
  }),
  write: (call: FinishedCall) => {
    const content = String(call.input['content'] ?? '')
    return { path: pathOf(call), lines: lineCount(content), bytes: Buffer.byteLength(content) }
  },
  grep: (call: FinishedCall) => ({
    pattern: String(call.input['pattern'] ?? ''),
    ...(call.input['path'] === undefined ? {} : { path: pathOf(call) }),
    matches: call.isError ? 0 : call.text.split('\n').filter((line) => /^[^\n]*:\d+: /.test(line)).length,
  }),
  find: (call: FinishedCall) => ({ pattern: String(call.input['pattern'] ?? ''), paths: entriesOf(call) }),
  ls: (call: FinishedCall) => ({ path: pathOf(call) || '.', entries: entriesOf(call) }),
})

/** How a command ended. The library says it in words at the end of the text, and only for what isn't success. */
function bashEnding({ text, isError }: FinishedCall): Record<string, unknown> {
  if (!isError) return { exitCode: 0 }
  const code = /Command exited with code (\d+)\s*$/.exec(text)?.[1]
  if (code !== undefined) return { exitCode: Number(code) }
  if (/Command timed out after [\d.]+ seconds\s*$/.test(text)) return { exitCode: null, ended: 'timeout' }
  if (/Command aborted\s*$/.test(text)) return { exitCode: null, ended: 'aborted' }
  return { exitCode: null }
}

function entriesOf({ text, isError }: FinishedCall): number {
  if (isError) return 0
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('[') && !line.startsWith('(')).length
}

function lineCount(text: string): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}

function truncationOf({ details }: FinishedCall): EnsoTruncation | undefined {
  const truncation = details?.['truncation'] as LibraryTruncation | undefined
  if (truncation?.truncated === true) {
    return truncation.truncatedBy === 'bytes'
      ? { shown: truncation.outputBytes, total: truncation.totalBytes, unit: 'bytes' }
      : { shown: truncation.outputLines, total: truncation.totalLines, unit: 'lines' }
  }
  return undefined
}
