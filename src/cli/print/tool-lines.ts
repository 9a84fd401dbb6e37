import {
  type EnsoToolCall,
  type EnsoToolResultDescriptor,
  type EnsoToolResultObservation,
  summarizeToolInput,
} from '../../core/index.js'
import { plural } from '../../core/plural.js'
import { describedResult } from './described-result.js'
import { type DiffLine, editDiff } from './edit-diff.js'
import { expandTabs, fit } from './layout.js'
import type { Palette } from './palette.js'
import { sanitize, sanitizeLine } from './sanitize.js'

/** Lines of a result that are shown; the rest is counted. */
const HEAD_LINES = 5
/** Characters of a failed command's words that are looked at: more than the tool passes on. */
const COMMAND_CHARS = 64 * 1024
/** Lines of a failed command that are shown of its beginning, and as many of its end. */
const END_LINES = 3
/** Lines of a change that are shown. */
const DIFF_LINES = 40
/** Characters of a result that are looked at for its head. */
const HEAD_CHARS = 16 * 1024

/** Columns of a refusal's reason, over several lines. */
const REASON_COLUMNS = 600

/** What the lines are made with. */
export interface ToolLinesOptions {
  readonly say: (lines: string) => void
  readonly palette: Palette
  readonly width: () => number
  /** Breaks what is longer than these columns where somebody reads it on a terminal. */
  readonly fold: (text: string, columns: number) => string
}

/** Tool calls as lines on standard error: the call with its subject, then its result's head or its change. */
export interface ToolLines {
  call(call: EnsoToolCall): void
  result(result: EnsoToolResultObservation): void
  /** A guard refused a call by this rule; said when the call's result comes. */
  denied(toolCallId: string, rule: string): void
}

interface RunningCall {
  readonly title: string
  readonly args: unknown
}

function indented(lines: readonly string[]): string {
  return lines.map((line, index) => `${index === 0 ? '  ⎿ ' : '    '}${line}`).join('\n')
}

function more(left: number, word: string): string {
  return `… ${plural(left, `more ${word}`)}`
}

/** A tool call in one line, as it is named everywhere. */
export function toolTitle(toolName: string, args: unknown): string {
  const subject = summarizeToolInput(args)
  return subject === undefined ? sanitizeLine(toolName) : `${sanitizeLine(toolName)} ${sanitizeLine(subject)}`
}

/** Keeps track of the calls that run, and says each call and each result. */
export function createToolLines({ say, palette, width, fold }: ToolLinesOptions): ToolLines {
  const running = new Map<string, RunningCall>()
  const rules = new Map<string, string>()
  let latest: string | undefined

  const diffLines = (diff: readonly DiffLine[]): string[] => {
    const paint = { '+': palette.green, '-': palette.red, ' ': palette.dim }
    const shown = diff
      .slice(0, DIFF_LINES)
      .map(({ sign, text }) => paint[sign](fit(`${sign} ${expandTabs(sanitizeKeepingSpaces(text))}`, width() - 4)))
    return diff.length > DIFF_LINES ? [...shown, palette.dim(more(diff.length - DIFF_LINES, 'line'))] : shown
  }

  const inWidth = (line: string): string => fit(expandTabs(line), width() - 4)

  /** How a command that failed began and ended: one of the two says why. */
  const endsOf = ({ text: whole, descriptor }: EnsoToolResultObservation): string[] => {
    const said = sanitize(whole.slice(-COMMAND_CHARS)).replace(RUNTIME_LINE, '')
    const lines = said.trim() === '' ? [] : said.trim().split('\n')
    const hidden = lines.length - 2 * END_LINES
    const red = (some: readonly string[]): string[] => some.map((line) => palette.red(inWidth(line.trimEnd())))
    const shown =
      hidden <= 1
        ? red(lines)
        : [...red(lines.slice(0, END_LINES)), palette.dim(more(hidden, 'line')), ...red(lines.slice(-END_LINES))]
    const ofAll = truncationLine(descriptor)
    return ofAll === undefined ? shown : [...shown, palette.dim(ofAll)]
  }

  /** The beginning of what a tool said, and how many lines are left out. */
  const headOf = ({ text: whole, isError }: EnsoToolResultObservation): { head: string[]; hidden: number } => {
    const paint = isError ? palette.red : palette.dim
    const end = headEnd(whole)
    const text = sanitize(whole.slice(0, end)).trim()
    if (text === '') return { head: [paint(isError ? 'failed' : 'done')], hidden: 0 }
    const lines = text.split('\n')
    const head = lines.slice(0, HEAD_LINES).map((line) => paint(inWidth(line.trimEnd())))
    const behind = end < whole.length ? countLines(whole.trimEnd(), end) : 0
    return { head, hidden: Math.max(0, lines.length - HEAD_LINES) + behind }
  }

  const resultLines = (result: EnsoToolResultObservation): string[] => {
    const { descriptor } = result
    const ending = endingOf(descriptor)
    if (ending !== undefined && result.isError) return [palette.red(ending), ...endsOf(result)]
    const shown = ending === undefined ? [] : [palette.red(ending)]
    const described = result.isError || descriptor === undefined ? undefined : describedResult(descriptor)
    shown.push(...(described?.lines ?? []).map((line) => palette.dim(inWidth(line))))
    const { head, hidden } = described?.showsText === false ? { head: [], hidden: 0 } : headOf(result)
    shown.push(...head)
    const cut = truncationLine(descriptor)
    if (cut !== undefined) shown.push(palette.dim(cut))
    else if (hidden > 0) shown.push(palette.dim(more(hidden, 'line')))
    return shown
  }

  /** A reason, whole: it says what to do instead. */
  const reasonLines = (text: string): string[] =>
    fold(fit(text, REASON_COLUMNS), width() - 4)
      .split('\n')
      .map((line) => palette.red(line.trim()))

  const linesOf = (result: EnsoToolResultObservation, call: RunningCall | undefined): string[] => {
    const rule = rules.get(result.toolCallId)
    rules.delete(result.toolCallId)
    if (rule !== undefined) {
      const reason = sanitizeLine(result.text.slice(0, HEAD_CHARS))
      return reasonLines(`refused by policy: ${sanitizeLine(rule)} — ${withoutRule(reason, rule)}`)
    }
    const diff = result.isError ? [] : editDiff(result.toolName, call?.args, result.descriptor)
    return diff.length > 0 ? diffLines(diff) : resultLines(result)
  }

  return {
    call({ toolCallId, toolName, args }) {
      const title = toolTitle(toolName, args)
      running.set(toolCallId, { title, args })
      latest = toolCallId
      const name = sanitizeLine(toolName)
      say(`${palette.cyan('●')} ${palette.bold(name)}${fit(title, width() - 2).slice(name.length)}`)
    },
    result(result) {
      if (!result.complete) return
      const call = running.get(result.toolCallId)
      running.delete(result.toolCallId)
      const lines = linesOf(result, call)
      // Results come in the order of completion: where it is not the call right above, it is named again.
      if (latest !== result.toolCallId)
        say(palette.dim(fit(`○ ${call?.title ?? sanitizeLine(result.toolName)}`, width())))
      latest = result.toolCallId
      say(indented(lines))
    },
    denied(toolCallId, rule) {
      rules.set(toolCallId, rule)
    },
  }
}

/** What the runtime adds below a command's own words. */
const RUNTIME_LINE = /\n*Command (?:exited with code \d+|aborted)\s*$/

/** How a command ended that did not end well: its text says it only in its last line. */
function endingOf(descriptor: EnsoToolResultDescriptor | undefined): string | undefined {
  if (descriptor?.kind !== 'bash') return undefined
  const { exitCode, ended } = descriptor.props
  if (typeof exitCode === 'number' && exitCode !== 0) return `exit code ${exitCode}`
  return typeof ended === 'string' ? `ended: ${sanitizeLine(ended)}` : undefined
}

/** How much a result was cut from. */
function truncationLine(descriptor: EnsoToolResultDescriptor | undefined): string | undefined {
  const truncated = descriptor?.truncated
  if (truncated === undefined || truncated.total <= truncated.shown) return undefined
  return `… of ${truncated.total} ${truncated.unit} in all`
}

/** The guard's words end with the rule, which is said before them. */
function withoutRule(reason: string, rule: string): string {
  return reason.endsWith(` [${rule}]`) ? reason.slice(0, -rule.length - 3) : reason
}

/** A line of code made harmless with its indentation. */
function sanitizeKeepingSpaces(line: string): string {
  return sanitize(line).replaceAll('\n', ' ').trimEnd()
}

/** Where the lines end that are looked at for a head. */
function headEnd(text: string): number {
  let end = text.length - text.trimStart().length
  for (let lines = 0; lines < HEAD_LINES; lines++) {
    const feed = text.indexOf('\n', end)
    if (feed === -1 || feed >= HEAD_CHARS) return Math.min(text.length, HEAD_CHARS)
    end = feed + 1
  }
  return end
}

/** Lines that begin behind a place; the one that the place is in has been counted. */
function countLines(text: string, from: number): number {
  let lines = text.length > from && text.charAt(from - 1) === '\n' ? 1 : 0
  for (let at = text.indexOf('\n', from); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
