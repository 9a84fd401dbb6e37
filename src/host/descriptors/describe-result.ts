import type { EnsoToolResultDescriptor, EnsoTruncation } from '../../core/tool-result.js'
import type { CommandEnding } from '../tools/bash-tool.js'

/** What is known of a finished tool call when it is described. */
export interface FinishedCall {
  readonly toolName: string
  readonly input: Readonly<Record<string, unknown>>
  /** The result's text parts, joined. */
  readonly text: string
  readonly hasImage: boolean
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly isError: boolean
  /** For a command: how it ended, beside what its result says. */
  readonly ending: CommandEnding | undefined
}

type Props = Record<string, unknown>
type Describe = (call: FinishedCall) => Props

/**
 * A tool's result as data: what a surface needs to draw it without reading its text. `undefined` for a tool that isn't
 * known here: its text is all there is.
 */
export function describeResult(call: FinishedCall): EnsoToolResultDescriptor | undefined {
  const describe = DESCRIBERS[call.toolName]
  if (describe === undefined) return undefined
  const truncated = truncationOf(call)
  return { kind: call.toolName, props: describe(call), ...(truncated === undefined ? {} : { truncated }) }
}

const DESCRIBERS: Readonly<Record<string, Describe>> = Object.assign(Object.create(null) as object, {
  read: (call: FinishedCall) => ({
    path: pathOf(call),
    ...numbers(call.input, 'offset', 'limit'),
    ...(call.isError ? {} : call.hasImage ? { image: true } : { lines: linesRead(call) }),
  }),
  bash: (call: FinishedCall) => ({
    command: String(call.input['command'] ?? ''),
    ...endingOf(call),
    ...strings(detailsOf(call), 'fullOutputPath'),
  }),
  edit: (call: FinishedCall) => ({
    path: pathOf(call),
    ...strings(detailsOf(call), 'diff'),
    ...numbers(detailsOf(call), 'firstChangedLine'),
  }),
  write: (call: FinishedCall) => {
    const content = String(call.input['content'] ?? '')
    return { path: pathOf(call), lines: lineCount(content), bytes: Buffer.byteLength(content) }
  },
  grep: (call: FinishedCall) => ({
    pattern: String(call.input['pattern'] ?? ''),
    ...(call.input['path'] === undefined ? {} : { path: pathOf(call) }),
    matches: entriesOf(call, 'No matches found').filter(isMatch).length,
    ...limited(call, 'matchLimitReached'),
  }),
  find: (call: FinishedCall) => ({
    pattern: String(call.input['pattern'] ?? ''),
    ...(call.input['path'] === undefined ? {} : { path: pathOf(call) }),
    paths: entriesOf(call, 'No files found matching pattern').length,
    ...limited(call, 'resultLimitReached'),
  }),
  ls: (call: FinishedCall) => ({
    path: pathOf(call) || '.',
    entries: entriesOf(call, '(empty directory)').length,
    ...limited(call, 'entryLimitReached'),
  }),
  // Describes a page itself; what is left is a call that was refused.
  web_fetch: ({ input, text }: FinishedCall) => {
    const refused = /^web_fetch refused \(([a-z-]+)\): /.exec(text)?.[1]
    return { url: String(input['url'] ?? ''), ...(refused === undefined ? {} : { refused }) }
  },
})

const pathOf = ({ input }: FinishedCall): string => String(input['path'] ?? input['file_path'] ?? '')

/** What the library keeps beside a result; for a command that failed, what it had said last. */
function detailsOf({ details, ending }: FinishedCall): Props {
  const said = ending?.details
  return { ...(typeof said === 'object' ? said : {}), ...details }
}

function numbers(from: Readonly<Props>, ...keys: readonly string[]): Props {
  return Object.fromEntries(keys.filter((key) => typeof from[key] === 'number').map((key) => [key, from[key]]))
}

function strings(from: Readonly<Props>, ...keys: readonly string[]): Props {
  return Object.fromEntries(keys.filter((key) => typeof from[key] === 'string').map((key) => [key, from[key]]))
}

/** A search that was cut by its limit: how much more there is nobody knows. */
function limited(call: FinishedCall, key: string): Props {
  return typeof detailsOf(call)[key] === 'number' ? { limitReached: true } : {}
}

/** How a command ended. A failure that is no exit code the library says in words, at the end of the text. */
function endingOf({ text, isError, ending }: FinishedCall): Props {
  const { exitCode } = ending ?? {}
  if (typeof exitCode === 'number') return { exitCode }
  if (exitCode === null) return { exitCode, ended: 'signal' }
  if (!isError) return { exitCode: 0 }
  const said = /Command exited with code (\d+)\s*$/.exec(text)?.[1]
  if (said !== undefined) return { exitCode: Number(said) }
  if (/Command timed out after [\d.]+ seconds\s*$/.test(text)) return { exitCode: null, ended: 'timeout' }
  if (/(?:Command aborted|did not stop when it was told to)\s*$/.test(text)) return { exitCode: null, ended: 'aborted' }
  return { exitCode: null }
}

/** The lines of a file that were read: a range that leaves some out ends with a note that says so. */
function linesRead(call: FinishedCall): number {
  const truncated = truncationIn(call)
  if (truncated !== undefined) return truncated.outputLines
  const isRange = /\n\n\[\d+ more lines in file\. Use offset=\d+ to continue\.\]$/.test(call.text)
  return lineCount(isRange && call.input['limit'] !== undefined ? withoutNote(call.text) : call.text)
}

/** The lines of a list, without the note on its limits and the words for an empty one. */
function entriesOf({ text, isError }: FinishedCall, empty: string): string[] {
  const list = withoutNote(text)
  return isError || list === '' || list === empty ? [] : list.split('\n').filter((line) => line !== '')
}

/** A result without the note in brackets that the library puts under one it cut. */
function withoutNote(text: string): string {
  return text.replace(/\n\n\[[^\n]*\]$/, '')
}

/** `name:12: text` is a match, `name-12- text` stands beside one; what comes first in the line decides. */
function isMatch(line: string): boolean {
  const mark = /([:-])\d+([:-]) /.exec(line)
  return mark !== null && mark[1] === ':' && mark[2] === ':'
}

function lineCount(text: string): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}

interface LibraryTruncation {
  readonly truncated: boolean
  readonly truncatedBy: 'lines' | 'bytes' | null
  readonly totalLines: number
  readonly totalBytes: number
  readonly outputLines: number
  readonly outputBytes: number
}

function truncationIn(call: FinishedCall): LibraryTruncation | undefined {
  const truncation = detailsOf(call)['truncation'] as LibraryTruncation | undefined
  return truncation?.truncated === true ? truncation : undefined
}

function truncationOf(call: FinishedCall): EnsoTruncation | undefined {
  const truncation = truncationIn(call)
  if (truncation === undefined) return undefined
  return truncation.truncatedBy === 'bytes'
    ? { shown: truncation.outputBytes, total: truncation.totalBytes, unit: 'bytes' }
    : { shown: truncation.outputLines, total: truncation.totalLines, unit: 'lines' }
}
