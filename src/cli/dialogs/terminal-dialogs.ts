import { ensoLogger, type EnsoFollowFrame, type EnsoOpenDialog } from '../../core/index.js'
import type { OperationOutcome } from '../../thread/operations.js'
import type { CliIo, CliTerminal } from '../io.js'
import { createPalette } from '../print/palette.js'
import { sanitizeLine } from '../print/sanitize.js'
import type { RunOptions } from '../run/run-options.js'
import { askDialog } from './ask-dialog.js'
import type { AnswerBody, TextEditor } from './ask-context.js'
import { type Asked, createAsking } from './asking.js'

/** What questions on a terminal are made with. */
export interface TerminalDialogsOptions {
  readonly terminal: CliTerminal
  readonly io: Pick<CliIo, 'env' | 'clock'>
  readonly color: RunOptions['color']
  /** Puts an answer, or `{ cancelled: true }`, to the thread. */
  readonly answer: (id: string, answer: AnswerBody) => Promise<OperationOutcome>
  /** Ctrl-C in a question: stops the run. */
  readonly stop: () => void
  /** Waits for the terminal and keeps everything else off it until the returned function is called. */
  readonly turn?: () => Promise<() => void>
  /** Milliseconds a question waits that names no time itself; `undefined` is for ever. */
  readonly timeoutMs?: number | undefined
  readonly editor?: TextEditor | undefined
}

/** A thread's questions, asked on a terminal one after another. */
export interface TerminalDialogs {
  onFrame(frame: EnsoFollowFrame): void
  /** Takes the open question away and asks no more. */
  close(): void
}

interface Waiting extends EnsoOpenDialog {
  readonly askedAt: number
  readonly closed: AbortController
}

const TICK_MS = 1000
const log = ensoLogger('host', 'terminal-dialogs')

/**
 * Asks on a terminal what the feed says is open. A question settled elsewhere goes away; several wait for each other.
 * Esc cancels a question, Ctrl-C stops the run.
 */
export function createTerminalDialogs(options: TerminalDialogsOptions): TerminalDialogs {
  const { terminal, io, answer, stop } = options
  const palette = createPalette(terminal.output, io.env, options.color)
  const queue: Waiting[] = []
  let current: Waiting | undefined
  let over = false

  const timeoutOf = ({ dialog }: EnsoOpenDialog): number | undefined => {
    const own = 'timeout' in dialog ? dialog.timeout : undefined
    const both = [own, options.timeoutMs].filter((value) => value !== undefined)
    return both.length === 0 ? undefined : Math.min(...both)
  }

  async function put(waiting: Waiting, asked: Asked<AnswerBody>): Promise<'done' | 'again'> {
    if (asked.kind === 'closed') return 'done'
    if (asked.kind === 'stop') {
      stop()
      return 'done'
    }
    const outcome = await answer(waiting.id, asked.kind === 'cancelled' ? { cancelled: true } : asked.value)
    if (outcome.ok || waiting.closed.signal.aborted) return 'done'
    terminal.output.write(`${palette.yellow(`! ${sanitizeLine(outcome.refusal.reason)}`)}\n`)
    return outcome.refusal.code === 'refused' ? 'again' : 'done'
  }

  async function ask(waiting: Waiting): Promise<void> {
    const timeoutMs = timeoutOf(waiting)
    const endsAt = timeoutMs === undefined ? undefined : waiting.askedAt + timeoutMs
    const release = await options.turn?.()
    const asking = createAsking(terminal, io.clock, palette.enabled)
    const context = {
      asking,
      palette,
      closed: waiting.closed.signal,
      left: () => (endsAt === undefined ? undefined : endsAt - io.clock.now()),
      editor: options.editor,
    }
    let cancelTick: (() => void) | undefined
    const tick = (): void => {
      asking.redraw()
      cancelTick = io.clock.after(TICK_MS, tick)
    }
    if (endsAt !== undefined) cancelTick = io.clock.after(TICK_MS, tick)
    try {
      if ((await asking.discardTyped()) === 'stop') return stop()
      while ((await put(waiting, await askDialog(waiting.dialog, context))) === 'again');
    } finally {
      cancelTick?.()
      asking.close()
      release?.()
    }
  }

  async function askNext(): Promise<void> {
    while (current === undefined) {
      current = queue.shift()
      if (current === undefined) return
      try {
        await ask(current)
      } catch (error) {
        log.error('a question could not be asked: {error}', { error: String(error) })
        terminal.output.write(`${palette.red(`✗ ${sanitizeLine(String(error))}`)}\n`)
        await answer(current.id, { cancelled: true })
      } finally {
        current = undefined
      }
    }
  }

  function open({ id, dialog }: EnsoOpenDialog): void {
    if (over || current?.id === id || queue.some((waiting) => waiting.id === id)) return
    queue.push({ id, dialog, askedAt: io.clock.now(), closed: new AbortController() })
    void askNext()
  }

  function settle(id: string): void {
    if (current?.id === id) current.closed.abort()
    const at = queue.findIndex((waiting) => waiting.id === id)
    if (at !== -1) queue.splice(at, 1)
  }

  return {
    onFrame(frame) {
      if (frame.type === 'snapshot') return frame.openDialogs.forEach(open)
      if (frame.type !== 'observation') return
      const { observation } = frame
      if (observation.kind === 'dialog-settled') return settle(observation.id)
      if (observation.kind !== 'extension-ui-request' || !observation.blocking || observation.dialog === undefined)
        return
      open({ id: observation.id, dialog: observation.dialog })
    },
    close() {
      over = true
      queue.length = 0
      current?.closed.abort()
    },
  }
}
