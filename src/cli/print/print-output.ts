import type { CliIo, CliOutput } from '../io.js'
import { isSharedTerminal } from './terminal-output.js'

/** Standard output and standard error as one picture: what is written to one never breaks the other. */
export interface PrintOutput {
  /** Text of the model, as it is: for standard output, unless that is kept for the answer. */
  reply(text: string): void
  /** The answer that standard output was kept for, as whole lines. */
  answer(lines: string): void
  /** Ends a line that the reply left open, if it did. */
  endReplyLine(): void
  /** One or more whole lines for standard error. */
  say(lines: string): void
  /** The one line at the bottom of a terminal that is redrawn; `undefined` takes it away. */
  live(line: string | undefined): void
  /** Keeps everything back while something else draws on the terminal; the returned function lets it out. */
  hold(): () => void
  /** The reader of standard output is behind. */
  readonly full: boolean
  /** Called once, when the reader has caught up. */
  onDrain(callback: () => void): void
  /** Resolves when all that was written has left, or can't any more. */
  finish(): Promise<void>
}

const CLEAR_LINE = '\r\x1b[2K'

/** Resolves when a stream has taken what was given to it, or is gone. */
function flushed(stream: CliOutput): Promise<void> {
  if (stream.destroyed || stream.writableEnded) return Promise.resolve()
  return new Promise((resolve) => {
    stream.once('close', resolve)
    stream.write('', () => resolve())
  })
}

/**
 * The two streams of a text run. Where both are the terminal, all goes through standard output, to stay in order.
 * @param keepsStdout standard output is for one answer at the end, and replies go beside everything else
 */
export function createPrintOutput(io: Pick<CliIo, 'stdout' | 'stderr'>, keepsStdout = false): PrintOutput {
  const { stdout, stderr } = io
  const errors = isSharedTerminal(io) ? stdout : stderr
  const replies = keepsStdout ? errors : stdout
  const shared = replies === errors
  let open = false
  let full = false
  let drawn = false
  let holds = 0
  const kept: { readonly stream: CliOutput; readonly text: string }[] = []

  const write = (stream: CliOutput, text: string): void => {
    if (holds > 0) return void kept.push({ stream, text })
    if (stream.destroyed || stream.writableEnded) return
    if (!stream.write(text) && stream === stdout) full = true
  }
  const clearLive = (): void => {
    if (!drawn) return
    drawn = false
    write(errors, CLEAR_LINE)
  }
  const endReplyLine = (): void => {
    if (!open) return
    open = false
    write(replies, '\n')
  }
  stdout.on('drain', () => {
    full = false
  })

  return {
    endReplyLine,
    get full() {
      return full && !stdout.destroyed
    },
    reply(text) {
      if (text === '') return
      clearLive()
      write(replies, text)
      open = !text.endsWith('\n')
    },
    answer(lines) {
      clearLive()
      endReplyLine()
      write(stdout, `${lines}\n`)
    },
    say(lines) {
      clearLive()
      if (shared) endReplyLine()
      write(errors, `${lines}\n`)
    },
    live(line) {
      // Under an open line of the reply there is no place for it.
      if (holds > 0 || line === undefined || (shared && open)) return clearLive()
      write(errors, `${CLEAR_LINE}${line}`)
      drawn = true
    },
    hold() {
      clearLive()
      if (shared) endReplyLine()
      holds++
      let released = false
      return () => {
        if (released) return
        released = true
        holds--
        if (holds > 0) return
        for (const { stream, text } of kept.splice(0)) write(stream, text)
      }
    },
    onDrain(callback) {
      stdout.once('drain', callback)
    },
    async finish() {
      clearLive()
      endReplyLine()
      await Promise.all([flushed(stdout), flushed(stderr)])
    },
  }
}
