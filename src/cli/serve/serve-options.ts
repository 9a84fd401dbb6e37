import { type CommandLine, type Parsed, usageRefused } from '../args/flag.js'
import { parseRunOptions } from '../args/run-options.js'
import { parseDuration } from '../args/values.js'
import type { RunOptions } from '../run/run-options.js'

/** How long a thread that does nothing stays built, in milliseconds. */
const THREAD_IDLE_MS = 30 * 60 * 1000
/** How long a run may make no progress before that is said, in milliseconds. */
const STALL_AFTER_MS = 90 * 1000

/** The options of `enso serve`, checked for shape. */
export interface ServeOptions {
  readonly host: string
  readonly port: number
  readonly allowRemote: boolean
  readonly publicUrl: URL | undefined
  /** As typed. */
  readonly tokenFile: string | undefined
  /** `undefined` keeps threads until the end. */
  readonly threadIdleMs: number | undefined
  readonly stallAfterMs: number
  readonly stallCut: boolean
  readonly allowBypass: boolean
  /** What it shares with a run: how threads are opened, how questions are answered. */
  readonly run: RunOptions
}

function parsePort(text: string): Parsed<number> {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return { ok: true, value: port }
  return usageRefused(`--port takes a number up to 65535, not '${text}'`, '0 takes a free one')
}

function parsePublicUrl(text: string | undefined): Parsed<URL | undefined> {
  if (text === undefined) return { ok: true, value: undefined }
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (isPlain && url.pathname === '/' && url.search === '' && url.hash === '') return { ok: true, value: url }
  return usageRefused(`--public-url takes an address without a path, not '${text}'`, 'such as https://enso.example.com')
}

function duration(line: CommandLine, name: string, standard: number): Parsed<number> {
  const text = line.value(name)
  return text === undefined ? { ok: true, value: standard } : parseDuration(name, text)
}

/** Reads the command line of `enso serve`. */
export function parseServeOptions(line: CommandLine, argv: readonly string[], cwd: string): Parsed<ServeOptions> {
  const run = parseRunOptions(line, argv, cwd)
  if (!run.ok) return run
  const { options } = run.value
  if (options.prompt !== undefined || options.promptFromStdin || options.attachments.length > 0) {
    return usageRefused('serve takes no prompt', 'enso --connect URL PROMPT sends one to a server')
  }
  const port = parsePort(line.value('port') ?? '0')
  if (!port.ok) return port
  const publicUrl = parsePublicUrl(line.value('public-url'))
  if (!publicUrl.ok) return publicUrl
  const idle = duration(line, 'thread-idle', THREAD_IDLE_MS)
  if (!idle.ok) return idle
  const stall = duration(line, 'stall-after', STALL_AFTER_MS)
  if (!stall.ok) return stall
  if (stall.value < 1000) return usageRefused('--stall-after takes at least one second')
  const allowBypass = line.has('allow-bypass')
  if (options.permissionMode === 'bypassPermissions' && !allowBypass) {
    return usageRefused('--permission-mode bypassPermissions needs --allow-bypass')
  }
  return {
    ok: true,
    value: {
      host: line.value('host') ?? '127.0.0.1',
      port: port.value,
      allowRemote: line.has('allow-remote'),
      publicUrl: publicUrl.value,
      tokenFile: line.value('token-file'),
      threadIdleMs: idle.value === 0 ? undefined : idle.value,
      stallAfterMs: stall.value,
      stallCut: line.has('stall-cut'),
      allowBypass,
      run: options,
    },
  }
}
