import { summarizeToolInput } from '../../core/index.js'
import { diffCounts, diffLines } from './diff-lines.js'
import { type PageTool, toolInput } from './messages.js'
import { plain, terminalText } from './plain.js'
import { counted, firstLine } from './words.js'

/** Characters of a hint. */
const HINT = 200

/** How a tool's result is drawn. What is not known here is text. */
export type ResultKind =
  | 'diff'
  | 'written'
  | 'terminal'
  | 'file'
  | 'hits'
  | 'paths'
  | 'page'
  | 'sources'
  | 'answers'
  | 'text'

/** A tool call in one line. */
export interface ToolFacts {
  /** What it does, in a word or two. */
  readonly title: string
  /** What it does it to; empty where the call names nothing. */
  readonly subject: string
  /** What came of it, in a few short pieces. */
  readonly facts: readonly string[]
  readonly result: ResultKind
  /** What the tool is for, whatever came of this call. */
  readonly kind: ResultKind
}

interface Known {
  readonly title: string
  readonly result: ResultKind
  readonly facts?: (props: Props) => readonly (string | undefined)[]
}

type Props = Readonly<Record<string, unknown>>

const KNOWN: ReadonlyMap<string, Known> = new Map<string, Known>([
  ['bash', { title: 'Run', result: 'terminal', facts: bashFacts }],
  ['read', { title: 'Read', result: 'file', facts: readFacts }],
  ['edit', { title: 'Edit', result: 'diff', facts: editFacts }],
  ['write', { title: 'Write', result: 'written', facts: ({ lines }) => [count(lines, 'line')] }],
  ['grep', { title: 'Search', result: 'hits', facts: ({ matches }) => [count(matches, 'match', 'matches')] }],
  ['find', { title: 'Find', result: 'paths', facts: ({ paths }) => [count(paths, 'path')] }],
  ['ls', { title: 'List', result: 'paths', facts: ({ entries }) => [count(entries, 'entry', 'entries')] }],
  ['web_fetch', { title: 'Fetch', result: 'page', facts: fetchFacts }],
  ['web_search', { title: 'Web search', result: 'sources', facts: searchFacts }],
  ['ask_user', { title: 'Ask', result: 'answers', facts: ({ outcome }) => [text(outcome)] }],
])

/** What a call is shown as. A descriptor says how to draw the result; without one the tool's name does. */
export function toolFacts(tool: PageTool): ToolFacts {
  const known = KNOWN.get(tool.name)
  const drawn = tool.descriptor === undefined ? undefined : (KNOWN.get(tool.descriptor.kind)?.result ?? 'text')
  const facts = tool.state === 'running' ? [] : (known?.facts?.(tool.descriptor?.props ?? {}) ?? [])
  return {
    title: known?.title ?? tool.name,
    subject: plain(summarizeToolInput(toolInput(tool)) ?? ''),
    facts: facts.filter((fact): fact is string => fact !== undefined && fact !== ''),
    result: drawn ?? (tool.name === 'bash' ? 'terminal' : 'text'),
    kind: known?.result ?? 'text',
  }
}

/** Somebody stopped it: no fault of the call's. */
export function wasStopped({ state, descriptor }: PageTool): boolean {
  return state === 'failed' && descriptor?.props['ended'] === 'aborted'
}

/** What the runtime adds below a command's own words. */
const RUNTIME_LINE = /^Command (?:exited with code|timed out|aborted)/

/** Why a call did not work, in one line: of a command its last words, of everything else the first. */
export function toolHint(tool: PageTool): string | undefined {
  const { rule, deniedBy, state, text } = tool
  if ((state !== 'failed' && rule === undefined) || deniedBy === 'person' || wasStopped(tool)) return undefined
  // The guard's words end with the rule, which stands before them.
  if (rule !== undefined) return firstLine(plain(text.slice(0, 1000).replace(` [${rule}]`, '')), HINT)
  if (deniedBy !== undefined || tool.name !== 'bash') {
    return firstLine(plain(text.slice(0, 1000)), HINT)
  }
  const lines = terminalText(text.slice(-4000))
    .split('\n')
    .filter((line) => line.trim() !== '')
  const own = lines.findLast((line) => !RUNTIME_LINE.test(line)) ?? lines.at(-1) ?? ''
  return firstLine(own, HINT)
}

function bashFacts({ exitCode, ended }: Props): (string | undefined)[] {
  if (ended === 'timeout') return ['timed out']
  if (ended === 'aborted') return []
  return [typeof exitCode === 'number' && exitCode !== 0 ? `exit ${exitCode}` : undefined]
}

function readFacts({ offset, limit }: Props): (string | undefined)[] {
  if (typeof offset !== 'number' && typeof limit !== 'number') return []
  const first = typeof offset === 'number' ? offset : 1
  return [typeof limit === 'number' ? `lines ${first}–${first + limit - 1}` : `from line ${first}`]
}

function editFacts({ diff }: Props): (string | undefined)[] {
  if (typeof diff !== 'string') return []
  const { added, removed } = diffCounts(diffLines(diff))
  return [`+${added} −${removed}`]
}

function fetchFacts({ status }: Props): (string | undefined)[] {
  return [typeof status === 'number' && (status < 200 || status > 299) ? `HTTP ${status}` : undefined]
}

function searchFacts({ sources }: Props): (string | undefined)[] {
  return [Array.isArray(sources) ? counted(sources.length, 'source') : undefined]
}

function count(value: unknown, one: string, many = `${one}s`): string | undefined {
  if (typeof value !== 'number') return undefined
  return value === 1 ? `1 ${one}` : `${value.toLocaleString('en')} ${many}`
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
