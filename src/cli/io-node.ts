import { fstatSync, openSync, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { ReadStream } from 'node:tty'
import { EnsoError } from '../core/enso-error.js'
import type { CliIo, CliOutput, CliTerminal } from './io.js'

/** The world of a real process, and the way to let go of what was opened of it. */
export interface NodeIo {
  readonly io: CliIo
  /** Resolves when standard output and error have taken everything; then nothing here keeps the process alive. */
  close(): Promise<void>
}

/** @throws EnsoError `bad-input` when somebody has removed it */
function workingFolder(): string {
  try {
    return process.cwd()
  } catch (error) {
    throw new EnsoError('bad-input', 'the working folder is gone: it was removed or moved away', {
      cause: error,
      hint: 'go to a folder that is there and start enso again',
    })
  }
}

/** A process's controlling terminal, where its standard input is something else. */
function openControllingTerminal(): ReadStream | undefined {
  try {
    const input = new ReadStream(openSync('/dev/tty', 'r+'))
    input.unref()
    return input
  } catch {
    // No controlling terminal: a job of cron, a container without one.
    return undefined
  }
}

/** Standard input that is /dev/null, as many programs start others: Node loads its streams of files to read nothing. */
function emptyInput(): Readable | undefined {
  try {
    const input = fstatSync(0)
    if (!input.isCharacterDevice() || input.rdev !== statSync('/dev/null').rdev) return undefined
    return Readable.from([])
  } catch {
    // Closed, or a system without /dev/null.
    return undefined
  }
}

/** Resolves when what was written so far is out, or can't go out any more. */
function drained(stream: CliOutput): Promise<void> {
  if (stream.destroyed || stream.writableEnded) return Promise.resolve()
  return new Promise((resolve) => {
    stream.once('close', resolve)
    stream.write('', () => resolve())
  })
}

/**
 * The command line's world from `process`.
 *
 * Standard output is `realStdout`: `process.stdout` itself belongs to whoever writes there without being asked, and
 * lands on standard error.
 */
export function nodeIo(realStdout: CliOutput): NodeIo {
  let stdin: Readable | undefined
  let controlling: { readonly input: ReadStream | undefined } | undefined
  // A reader that went away is a fact for whoever writes, never a crash of whoever doesn't look.
  for (const stream of [realStdout, process.stderr]) stream.on('error', () => undefined)

  const terminal = (): CliTerminal | undefined => {
    // A dumb terminal can't be drawn on; who sits behind one is mostly a program.
    if (!process.stderr.isTTY || process.env['TERM'] === 'dumb') return undefined
    if (process.stdin.isTTY) return { input: process.stdin, output: process.stderr }
    controlling ??= { input: openControllingTerminal() }
    return controlling.input === undefined ? undefined : { input: controlling.input, output: process.stderr }
  }

  const io: CliIo = {
    argv: process.argv.slice(2),
    env: process.env,
    get cwd() {
      return workingFolder()
    },
    get stdin() {
      return (stdin ??= emptyInput() ?? process.stdin)
    },
    stdout: realStdout,
    stderr: process.stderr,
    terminal,
    clock: {
      now: Date.now,
      after: (ms, callback) => {
        const timer = setTimeout(callback, ms)
        timer.unref()
        return () => clearTimeout(timer)
      },
    },
    signals: (signal, handler) => {
      process.on(signal, handler)
      return () => void process.off(signal, handler)
    },
  }
  return {
    io,
    close: async () => {
      controlling?.input?.destroy()
      await Promise.all([drained(realStdout), drained(process.stderr)])
    },
  }
}
