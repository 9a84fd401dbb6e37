import { PassThrough, Writable } from 'node:stream'
import type { CliInput, CliIo, CliOutput, CliTerminal } from '../../src/cli/io.js'
import { createManualClock, type ManualClock } from './manual-clock.js'

/** A stream that keeps what is written to it. */
export interface RecordedOutput {
  readonly stream: CliOutput
  text(): string
  /** From now on the stream takes nothing until the returned function is called. */
  block(): () => void
}

/** An output that remembers; as a terminal it has a width. */
export function recordedOutput(terminal?: { readonly columns: number; readonly rows?: number }): RecordedOutput {
  let text = ''
  let blocked: (() => void) | undefined
  let isBlocked = false
  const stream = new Writable({
    decodeStrings: false,
    highWaterMark: 64,
    write(chunk: string | Buffer, _encoding, done) {
      text += String(chunk)
      if (isBlocked) blocked = done
      else done()
    },
  })
  if (terminal !== undefined) Object.assign(stream, { isTTY: true, rows: 24, ...terminal })
  return {
    stream,
    text: () => text,
    block() {
      isBlocked = true
      return () => {
        isBlocked = false
        blocked?.()
        blocked = undefined
      }
    },
  }
}

/** A terminal whose keys a test presses. */
export interface FakeTerminal extends CliTerminal {
  press(keys: string): void
  readonly screen: RecordedOutput
  /** Is the input in raw mode now? */
  raw(): boolean
}

/** A person's terminal: `press` types, `screen` is what was drawn. */
export function fakeTerminal(columns = 80): FakeTerminal {
  const screen = recordedOutput({ columns })
  let isRaw = false
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (raw: boolean) => {
      isRaw = raw
    },
  }) as unknown as CliInput
  return {
    input,
    output: screen.stream,
    screen,
    raw: () => isRaw,
    press: (keys) => void (input as unknown as PassThrough).write(keys),
  }
}

/** A command line's world that a test holds in its hands. */
export interface FakeIo {
  readonly io: CliIo
  readonly out: RecordedOutput
  readonly err: RecordedOutput
  readonly clock: ManualClock
  /** Sends a signal to whoever listens; false when nobody does. */
  signal(name: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): boolean
}

/** What of the world a test wants otherwise. */
export interface FakeIoOptions {
  readonly argv?: readonly string[]
  readonly env?: CliIo['env']
  readonly cwd?: string
  readonly stdin?: CliInput
  readonly terminal?: CliTerminal
  /** Make standard output or standard error a terminal of this width. */
  readonly stdoutColumns?: number
  readonly stderrColumns?: number
}

/** A world without a terminal and with an ended standard input, unless told otherwise. */
export function fakeIo(options: FakeIoOptions = {}): FakeIo {
  const terminalOf = (columns: number | undefined) => (columns === undefined ? undefined : { columns })
  const out = recordedOutput(terminalOf(options.stdoutColumns))
  const err = recordedOutput(terminalOf(options.stderrColumns))
  const clock = createManualClock()
  const handlers = new Map<string, Set<() => void>>()
  const stdin = options.stdin ?? (Object.assign(new PassThrough().end(), {}) as CliInput)
  const io: CliIo = {
    argv: options.argv ?? [],
    env: options.env ?? {},
    cwd: options.cwd ?? '/work',
    stdin,
    stdout: out.stream,
    stderr: err.stream,
    terminal: () => options.terminal,
    clock,
    signals(name, handler) {
      const set = handlers.get(name) ?? new Set()
      handlers.set(name, set.add(handler))
      return () => void set.delete(handler)
    },
  }
  const signal = (name: string): boolean => {
    const set = [...(handlers.get(name) ?? [])]
    for (const handler of set) handler()
    return set.length > 0
  }
  return { io, out, err, clock, signal }
}
