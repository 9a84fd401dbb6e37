import {
  type EnsoContextMakeup,
  type EnsoContextRequest,
  type EnsoFileOperation,
  type EnsoThreadContext,
  makeupTotal,
} from '../../core/index.js'
import { count } from '../print/layout.js'
import { bar } from '../render/bar.js'
import { plural } from '../../core/plural.js'
import { tableLines, type TableColumn } from '../render/table.js'
import { wrapWords } from '../render/wrap.js'
import type { TextStyle } from './stats-text.js'

const ROWS_MAX = 40
const BAR_MAX = 40

const CATEGORIES: readonly (readonly [keyof EnsoContextMakeup, string])[] = [
  ['system', 'system'],
  ['tools', 'tools'],
  ['user', 'user'],
  ['injected', 'injected'],
  ['assistant', 'assistant'],
  ['toolResults', 'tool results'],
]

/** A thread's context for a person: what it is made of, how it grew, what changed it, which files it is about. */
export function threadContextText(context: EnsoThreadContext, style: TextStyle): string {
  const { palette } = style
  const unknown = unknownCategories(context)
  const section = (title: string, columns: readonly TableColumn[], rows: readonly (readonly (string | number)[])[]) => {
    const lines = tableLines(columns, rows, { ...style, maxRows: ROWS_MAX })
    return lines.length === 0 ? [] : ['', palette.bold(title), ...lines]
  }
  return `${[
    palette.bold(context.threadId),
    ...makeupLines(context, unknown, style),
    ...section('Requests', REQUEST_COLUMNS, context.requests.map(requestRow)),
    ...section(
      'Changes',
      CHANGE_COLUMNS,
      context.events.map(({ turn, kind, label, tokens }) => [turn, kind, label, signed(tokens)]),
    ),
    ...section('Files', FILE_COLUMNS, fileRows(context.files)),
    ...(unknown.size === 0 ? [] : ['', ...wrapWords(unknownText(unknown), style.width, '  ').map(palette.dim)]),
  ].join('\n')}\n`
}

/** The categories of which the newest requests still have no record. */
function unknownCategories({ events, next }: EnsoThreadContext): Set<string> {
  const said = new Set(events.map(({ key }) => key))
  return new Set(['system', 'tools'].filter((name) => said.has(`unknown:${name}`) && next[name as 'system'] === 0))
}

function unknownText(unknown: ReadonlySet<string>): string {
  return `${[...unknown].join(' and ')} unknown: the thread has no record of it, and the estimates leave it out`
}

function makeupLines({ next, requests, usage }: EnsoThreadContext, unknown: Set<string>, style: TextStyle): string[] {
  const total = makeupTotal(next)
  const last = requests.at(-1)
  const filled =
    usage === null || usage.percent === null ? '' : `, ${Math.round(usage.percent)} % of ${count(usage.window)}`
  const provider =
    last === undefined ? '' : `; the last request had ${count(last.actual.prompt)} by the provider's count`
  const lines = CATEGORIES.map(([category, name]) => {
    const tokens = next[category]
    const share = total === 0 ? 0 : tokens / total
    const room = Math.min(BAR_MAX, style.width - 32)
    const amount = unknown.has(category) ? 'unknown' : count(tokens)
    const percent = unknown.has(category) ? '' : `${Math.round(share * 100)} %`
    const drawn = room > 4 ? style.palette.cyan(bar(share, room)) : ''
    return `  ${name.padEnd(12)} ${amount.padStart(7)} ${percent.padStart(6)}  ${drawn}`.trimEnd()
  })
  const head = `the next request: about ${count(total)} tokens${filled}${provider}`
  return [...wrapWords(head, style.width, '  '), '', ...lines]
}

const REQUEST_COLUMNS: readonly TableColumn[] = [
  { title: '#', right: true },
  { title: 'prompt', right: true },
  { title: 'estimated', right: true },
  { title: 'provider', right: true },
  { title: 'error', right: true },
  { title: 'cached', right: true },
  { title: 'out', right: true },
  { title: 'new', right: true },
  { title: 'what came of it', flexible: true },
]

function requestRow(request: EnsoContextRequest): readonly (string | number)[] {
  const { turn, prompt, estimated, actual, brief, compaction } = request
  const total = makeupTotal(estimated)
  const entered = brief.added.length + brief.moreAdded
  const did = [
    ...(compaction === undefined ? [] : [`compacted from ${count(compaction.tokensBefore)}`]),
    ...(brief.toolCalls.length === 0 ? [] : [`→ ${brief.toolCalls.join(', ')}`]),
    ...(brief.reply === '' ? [] : [brief.reply]),
  ]
  return [
    turn,
    prompt,
    count(total),
    count(actual.prompt),
    errorText(total, actual.prompt, estimated),
    count(actual.cacheRead),
    count(actual.output),
    entered,
    did.join(' · '),
  ]
}

/** How far the estimate is off, in percent of the provider's number; nothing where a part was never recorded. */
function errorText(estimated: number, actual: number, { system }: EnsoContextMakeup): string {
  if (actual === 0 || system === 0) return '-'
  const percent = Math.round(((estimated - actual) / actual) * 100)
  return `${percent > 0 ? '+' : ''}${percent} %`
}

const CHANGE_COLUMNS: readonly TableColumn[] = [
  { title: 'before', right: true },
  { title: 'kind' },
  { title: 'what', flexible: true },
  { title: 'tokens', right: true },
]

function signed(tokens: number): string {
  if (tokens === 0) return ''
  return tokens > 0 ? `+${count(tokens)}` : `-${count(-tokens)}`
}

const FILE_COLUMNS: readonly TableColumn[] = [
  { title: 'path', flexible: true },
  { title: 'read', right: true },
  { title: 'written', right: true },
  { title: 'lines', right: true },
  { title: 'matched', right: true },
  { title: 'failed', right: true },
]

interface FileTally {
  read: number
  written: number
  added: number
  removed: number
  hits: number
  failed: number
}

/** One row a path, those written to first. */
function fileRows(files: readonly EnsoFileOperation[]): (readonly (string | number)[])[] {
  const byPath = new Map<string, FileTally>()
  for (const { path, kind, key, added, removed, hits, isError } of files) {
    // A search's own row is about where it looked; its matches have rows of their own.
    if (kind === 'search' && !/\/\d+$/.test(key) && !isError) continue
    const tally = byPath.get(path) ?? { read: 0, written: 0, added: 0, removed: 0, hits: 0, failed: 0 }
    byPath.set(path, tally)
    if (isError) tally.failed++
    else if (kind === 'read') tally.read++
    else if (kind === 'write') tally.written++
    tally.added += added
    tally.removed += removed
    tally.hits += hits
  }
  return [...byPath]
    .sort(([a, left], [b, right]) => right.written - left.written || right.read - left.read || (a < b ? -1 : 1))
    .map(([path, { read, written, added, removed, hits, failed }]) => [
      path,
      read || '',
      written || '',
      written === 0 ? '' : `+${added} -${removed}`,
      hits || '',
      failed || '',
    ])
}

/** Elements in a few words, for the head of a request. */
export function elementsText(amount: number, tokens: number): string {
  return `${plural(amount, 'element')}, about ${count(tokens)} tokens`
}
