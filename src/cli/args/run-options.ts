import { isEnsoThreadId } from '../../core/index.js'
import type { GuardingOptions, RunOptions, RunOutput, ThreadChoice } from '../run/run-options.js'
import { type CommandLine, type Parsed, usageRefused } from './flag.js'
import { parseCount, parseDollars, parseDuration, parseModelName } from './values.js'

/** What `enso [prompt…]` was asked for: the run, and whether `-p` rules a conversation out. */
export interface RunRequest {
  readonly options: RunOptions
  readonly print: boolean
}

/** How a run speaks, as far as the arguments say it; also told of a command line that is refused for something else. */
export function outputOf(argv: readonly string[]): RunOutput {
  const end = argv.indexOf('--')
  const before = end === -1 ? argv : argv.slice(0, end)
  const format = before
    .map((word, index) => (word === '--output-format' ? before[index + 1] : /^--output-format=(.*)$/s.exec(word)?.[1]))
    .findLast((value) => value !== undefined)
  if (format === 'stream-json' || before.includes('--json')) return 'json-lines'
  return format === 'json' ? 'json-result' : 'text'
}

function formatRefusal(line: CommandLine, output: RunOutput, hasPrompt: boolean) {
  const format = line.value('output-format')
  if (line.has('json') && format !== undefined && format !== 'stream-json') {
    return usageRefused(`--json and --output-format ${format} contradict each other`)
  }
  const input = line.value('input-format')
  if (input === 'stream-json' && output !== 'json-lines') {
    return usageRefused(
      '--input-format stream-json needs --json',
      'requests on stdin are answered on stdout as JSON lines',
    )
  }
  if (input === 'text' && output === 'json-lines' && !hasPrompt) {
    return usageRefused('with --json standard input carries requests, not text', 'give the prompt as an argument')
  }
  return undefined
}

function threadChoice(line: CommandLine): Parsed<ThreadChoice> {
  const threadId = line.value('thread-id')
  const resume = line.value('resume')
  const named = [
    line.has('continue') ? '-c' : '',
    line.has('resume') ? '-r' : '',
    line.has('thread-id') ? '--thread-id' : '',
  ]
  const given = named.filter((name) => name !== '')
  if (given.length > 1) return usageRefused(`${given.join(' and ')} can't be used together`)
  if (line.has('fork') && !line.has('continue') && !line.has('resume')) return usageRefused('--fork needs -c or -r ID')
  if (line.has('ephemeral') && (line.has('continue') || line.has('resume'))) {
    return usageRefused(`--ephemeral and ${given[0]} can't be used together`, '--fork goes on in a copy')
  }
  const id = threadId ?? resume
  if (id !== undefined && id !== '' && !isEnsoThreadId(id)) {
    return usageRefused(
      `'${String(id)}' is no thread id`,
      'letters, digits and dashes, at most 64; enso threads lists them',
    )
  }
  if (line.has('continue')) return { ok: true, value: { kind: 'latest' } }
  if (resume !== undefined)
    return { ok: true, value: resume === '' ? { kind: 'pick' } : { kind: 'resume', threadId: resume } }
  return { ok: true, value: threadId === undefined ? { kind: 'new' } : { kind: 'new', threadId } }
}

/** A flag's value through its parser; a flag that was not given is no value and no refusal. */
function optional<T>(
  line: CommandLine,
  name: string,
  parse: (flag: string, text: string) => Parsed<T>,
): Parsed<T | undefined> {
  const text = line.value(name)
  return text === undefined ? { ok: true, value: undefined } : parse(name, text)
}

/** How far tools may go, as the flags say. */
function guardingOptions(line: CommandLine): GuardingOptions {
  return {
    sandbox: line.value('sandbox') as GuardingOptions['sandbox'],
    allowBypass: line.has('allow-bypass'),
    addDirs: line.values('add-dir'),
    allowTools: line.values('allow-tool'),
    denyTools: line.values('deny-tool'),
  }
}

type LimitOptions = Pick<RunOptions, 'maxTurns' | 'maxCost' | 'maxTokens' | 'timeoutMs' | 'idleTimeoutMs'>

/** Bounds on a run, as the flags say; a time of 0 is none. */
function limitOptions(line: CommandLine): Parsed<LimitOptions> {
  const maxTurns = optional(line, 'max-turns', parseCount)
  const maxCost = optional(line, 'max-cost', parseDollars)
  const maxTokens = optional(line, 'max-tokens', parseCount)
  const timeout = optional(line, 'timeout', parseDuration)
  const idle = optional(line, 'idle-timeout', parseDuration)
  if (!maxTurns.ok) return maxTurns
  if (!maxCost.ok) return maxCost
  if (!maxTokens.ok) return maxTokens
  if (!timeout.ok) return timeout
  if (!idle.ok) return idle
  return {
    ok: true,
    value: {
      maxTurns: maxTurns.value,
      maxCost: maxCost.value,
      maxTokens: maxTokens.value,
      timeoutMs: timeout.value === 0 ? undefined : timeout.value,
      idleTimeoutMs: idle.value === 0 ? undefined : idle.value,
    },
  }
}

/** The id of `-r` may be left out; a word behind it that can't be an id belongs to the prompt. */
function splitResume(line: CommandLine): CommandLine {
  const resume = line.value('resume')
  if (resume === undefined || !/\s/.test(resume)) return line
  const value = (name: string): string | undefined => (name === 'resume' ? '' : line.value(name))
  return { ...line, value, words: [resume, ...line.words] }
}

function promptOf(line: CommandLine): { prompt: string | undefined; stdin: boolean; files: string[] } {
  const files = line.words.filter((word) => word.startsWith('@') && word.length > 1).map((word) => word.slice(1))
  const plain = line.words.filter((word) => word !== '-' && !(word.startsWith('@') && word.length > 1))
  const words = [...plain, ...line.literal]
  return { prompt: words.length === 0 ? undefined : words.join(' '), stdin: line.words.includes('-'), files }
}

/**
 * The options of a run from its command line. Reads nothing of the file system.
 * Refuses values of the wrong shape and flags that contradict each other.
 */
export function parseRunOptions(given: CommandLine, argv: readonly string[], cwd: string): Parsed<RunRequest> {
  const line = splitResume(given)
  const output = outputOf(argv)
  const { prompt, stdin, files } = promptOf(line)
  if (prompt !== undefined && prompt.trim() === '' && !stdin) return usageRefused('the prompt is empty')
  const format = formatRefusal(line, output, prompt !== undefined || stdin)
  if (format !== undefined) return format
  const thread = threadChoice(line)
  if (!thread.ok) return thread
  if (line.value('permission-mode') === 'bypassPermissions' && !line.has('allow-bypass')) {
    return usageRefused('--permission-mode bypassPermissions needs --allow-bypass')
  }
  const model = optional(line, 'model', parseModelName)
  const limits = limitOptions(line)
  const dialog = optional(line, 'dialog-timeout', parseDuration)
  if (!model.ok) return model
  if (!limits.ok) return limits
  if (!dialog.ok) return dialog
  const options: RunOptions = {
    output,
    prompt,
    promptFromStdin: stdin,
    attachments: [
      ...files.map((path) => ({ kind: 'file' as const, path })),
      ...line.values('image').map((path) => ({ kind: 'image' as const, path })),
    ],
    cwd: line.value('cwd') ?? cwd,
    thread: thread.value,
    fork: line.has('fork'),
    ephemeral: line.has('ephemeral'),
    takeOver: line.has('take-over'),
    model: model.value,
    thinking: line.value('thinking'),
    permissionMode: line.value('permission-mode'),
    ...guardingOptions(line),
    appendSystemPrompt: line.value('append-system-prompt'),
    extensions: line.values('extension'),
    trustProject: line.has('trust-project'),
    script: line.value('script'),
    record: line.value('record'),
    autoCancelDialogs: line.has('auto-cancel-dialogs'),
    dialogTimeoutMs: dialog.value,
    answersFile: line.value('answers'),
    stopOnEof: line.has('stop-on-eof'),
    ...limits.value,
    outputSchema: line.value('output-schema'),
    outputFile: line.value('output-file'),
    quiet: line.has('quiet'),
    color: (line.value('color') ?? 'auto') as RunOptions['color'],
    logLevel: line.value('log-level'),
  }
  return { ok: true, value: { options, print: line.has('print') } }
}
