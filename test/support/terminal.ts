import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ensoBin, type Place } from './run-enso.js'

const run = promisify(execFile)

export interface TerminalOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly columns?: number
  readonly rows?: number
}

/** A program on a real terminal. */
export interface Terminal {
  /** Types text as it is. */
  type(text: string): Promise<void>
  /** Presses keys by tmux's names: `Enter`, `Escape`, `Up`, `C-c`, `C-d`, `Tab`, `Space`. */
  press(...keys: readonly string[]): Promise<void>
  /** The visible screen, trailing blanks cut. */
  screen(): Promise<string>
  /** The screen and everything that scrolled off it. */
  all(): Promise<string>
  /** Waits until the screen (with what scrolled off it) shows the text; rejects with the screen when it doesn't in time. */
  waitFor(what: string | RegExp, options?: { readonly boundMs?: number; readonly visible?: boolean }): Promise<string>
  resize(columns: number, rows: number): Promise<void>
  /** The pid of the program. */
  pid(): Promise<number>
  /** Waits for the program's end: its exit code, 128 + n for a signal. */
  exitCode(boundMs?: number): Promise<number>
}

// tmux 3.3 loses the status of a program now and then, so a shell keeps it; the trap lets the shell outlive Ctrl-C.
const KEEP_STATUS = `trap : INT QUIT; "$@"; code=$?; echo "$code" >"$0"; exit "$code"`

/** Starts a program on a terminal of its own: a tmux server on a private socket, ended after the test. */
export async function openTerminal(
  t: TestContext,
  command: readonly string[],
  options: TerminalOptions,
): Promise<Terminal> {
  const dir = await mkdtemp(join(tmpdir(), 'enso-tmux-'))
  const statusFile = join(dir, 'status')
  const env = { ...options.env, TERM: 'xterm-256color', LANG: 'C.UTF-8' }
  const tmux = async (...args: readonly string[]): Promise<string> =>
    (await run('tmux', ['-S', join(dir, 's'), '-f', '/dev/null', ...args], { env, cwd: options.cwd, timeout: 10_000 }))
      .stdout
  t.after(async () => {
    // The place the program ran in may be gone by now, and a program can't be started where there is no folder.
    await run('tmux', ['-S', join(dir, 's'), 'kill-server'], { cwd: '/', timeout: 10_000 }).catch(() => {})
    await rm(dir, { recursive: true, force: true })
  })
  const set = (name: string, value: string): string[] => ['set', '-g', name, value, ';']
  await tmux(
    'start-server',
    ';',
    ...set('remain-on-exit', 'on'),
    ...set('status', 'off'),
    ...set('history-limit', '50000'),
    ...set('escape-time', '0'),
    ...set('default-terminal', 'tmux-256color'),
    'new-session',
    '-d',
    '-s',
    'main',
    '-c',
    options.cwd,
    '-x',
    String(options.columns ?? 100),
    '-y',
    String(options.rows ?? 40),
    '--',
    '/bin/sh',
    '-c',
    KEEP_STATUS,
    statusFile,
    ...command,
  )
  const capture = async (...flags: string[]): Promise<string> =>
    (await tmux('capture-pane', '-p', '-J', '-t', 'main', ...flags)).replace(/[ \t]+$/gm, '').trimEnd()
  const all = (): Promise<string> => capture('-S', '-')

  return {
    type: async (text) => void (await tmux('send-keys', '-t', 'main', '-l', '--', text)),
    press: async (...keys) => void (await tmux('send-keys', '-t', 'main', '--', ...keys)),
    screen: () => capture(),
    all,
    waitFor: async (what, { boundMs = 30_000, visible = false } = {}) => {
      const shows = (text: string): boolean => (typeof what === 'string' ? text.includes(what) : what.test(text))
      let text = ''
      await until(boundMs, async () => {
        text = await (visible ? capture() : all())
        return shows(text)
      }).catch(() => {
        throw new Error(`the terminal never showed ${String(what)}; it shows:\n${text}`)
      })
      return text
    },
    resize: async (columns, rows) =>
      void (await tmux('resize-window', '-t', 'main', '-x', String(columns), '-y', String(rows))),
    pid: async () => {
      const shell = (await tmux('display-message', '-p', '-t', 'main', '#{pane_pid}')).trim()
      return Number((await readFile(`/proc/${shell}/task/${shell}/children`, 'utf8')).split(' ')[0])
    },
    exitCode: async (boundMs = 30_000) => {
      let status = ''
      await until(boundMs, async () => {
        status = await readFile(statusFile, 'utf8').catch(() => '')
        return status.endsWith('\n')
      }).catch(async () => {
        throw new Error(`the program on the terminal is still running; it shows:\n${await all()}`)
      })
      return Number(status)
    },
  }
}

/** Starts the built program in a place, on a terminal. */
export function openEnsoTerminal(
  t: TestContext,
  place: Place,
  args: readonly string[],
  options: Partial<TerminalOptions> = {},
): Promise<Terminal> {
  return openTerminal(t, [process.execPath, ensoBin, ...args], {
    ...options,
    cwd: options.cwd ?? place.cwd,
    env: { ...place.env, ...options.env },
  })
}

/** A terminal can't be waited on, only looked at: looks again and again until it is so. */
async function until(boundMs: number, isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + boundMs
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('not in time')
    await pause(40)
  }
}
