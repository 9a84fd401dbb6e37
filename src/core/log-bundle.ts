import { redactionManifest } from './log-manifest.js'
import { isLogLine } from './log-parse.js'
import { logLineText } from './log-tail.js'

/** What a bundle says about the machine and about itself. Which tiers were on is in the records, not here. */
export interface EnsoBundleAbout {
  /** When it was made, ISO, UTC. */
  readonly at: string
  /** Our own version or commit, or why it is unknown. */
  readonly enso: string
  /** The agent library's version. */
  readonly pi: string
  /** The JavaScript runtime and its version. */
  readonly bun: string
  readonly os: string
  /** In words: which records these are, and what was left out. */
  readonly selection: string
}

/** What a bundle is made from. */
export interface EnsoBundleInputs {
  readonly about: EnsoBundleAbout
  /** Inspections of the live threads the selection covers. */
  readonly threads: readonly object[]
  /** The records, oldest first, filtered and capped by the caller. */
  readonly lines: readonly object[]
  /** How many records there were before the cap. */
  readonly matched: number
}

const TITLE = '# enso log bundle'
const FENCE_OPEN = '```jsonl'
const FENCE_CLOSE = '```'
const MAX_PROBLEMS = 50

/** Was this text made by `buildLogBundle`? A bundle whose end is missing is one too. */
export function isLogBundle(text: string): boolean {
  const start = text.startsWith('\ufeff') ? 1 : 0
  const end = start + TITLE.length
  return text.startsWith(TITLE, start) && (text.length === end || /[\r\n]/.test(text.charAt(end)))
}

/** All records in a bundle, in order, as one JSONL text: the server's, then the page's. */
export function bundleRecordsText(bundle: string): string {
  const lines: string[] = []
  let inside = false
  for (const raw of bundle.split('\n')) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    if (inside && line === FENCE_CLOSE) inside = false
    else if (inside) lines.push(line)
    else if (line === FENCE_OPEN) inside = true
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

/** The page's own records as a section to append to a bundle: only the page has them. */
export function browserSection(lines: readonly object[], pageUrl?: string): string {
  const from = pageUrl === undefined ? '' : `Page: ${oneLine(pageUrl)}\n\n`
  return `\n## Browser records\n\n${from}${count(lines.length, 'record')}.\n\n${fenced(lines)}\n`
}

/** One Markdown file: what a person reads before sending it, and what a reader takes the records out of again. */
export function buildLogBundle({ about, threads, lines, matched }: EnsoBundleInputs): string {
  return [
    TITLE,
    '',
    'Read this before you send it. Secrets that enso knows were replaced when the records were written.',
    '',
    ...aboutList(about),
    '',
    '## What was taken out',
    '',
    ...manifestTable(redactionManifest([...lines, ...threads])),
    '',
    ...problemSection(lines),
    '## Threads',
    '',
    ...(threads.length === 0 ? ['No live thread.'] : ['```json', JSON.stringify(threads, undefined, 2), '```']),
    '',
    '## Records',
    '',
    matched > lines.length
      ? `The last ${lines.length} of ${matched} records.`
      : `${count(lines.length, 'record')}, all that were selected.`,
    '',
    fenced(lines),
    '',
  ].join('\n')
}

function aboutList(about: EnsoBundleAbout): string[] {
  const rows = [
    ['made', about.at],
    ['enso', about.enso],
    ['pi', about.pi],
    ['runtime', about.bun],
    ['system', about.os],
    ['selection', about.selection],
  ]
  return rows.map(([name, value = '']) => `- ${name}: ${oneLine(value)}`)
}

function manifestTable(manifest: Readonly<Record<string, number>>): string[] {
  const rows = Object.entries(manifest)
  if (rows.length === 0) return ['Nothing: no record held a field with a secret’s name or a known secret.']
  return [
    'Fields by name were never written; `values` are known secrets that were caught inside other text.',
    '',
    '| field | records |',
    '| --- | --- |',
    ...rows.map(([name, records]) => `| ${oneLine(name).replaceAll('|', '\\|')} | ${records} |`),
  ]
}

function problemSection(lines: readonly object[]): string[] {
  const problems = lines.filter(isLogLine).filter(({ level }) => ['WARN', 'ERROR', 'FATAL'].includes(level))
  if (problems.length === 0) return []
  const shown = problems.slice(-MAX_PROBLEMS)
  const head = shown.length < problems.length ? [`The last ${shown.length} of ${problems.length}.`, ''] : []
  return [
    '## Warnings and errors',
    '',
    ...head,
    ...shown.map((line) => `    ${oneLine(`${line['@timestamp']} ${line.level} ${line.logger} ${logLineText(line)}`)}`),
    '',
  ]
}

function fenced(lines: readonly object[]): string {
  return [FENCE_OPEN, ...lines.map((line) => JSON.stringify(line)), FENCE_CLOSE].join('\n')
}

/** Text from outside on one line: it can neither open a fence nor start a heading. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}

export { redactionManifest } from './log-manifest.js'
