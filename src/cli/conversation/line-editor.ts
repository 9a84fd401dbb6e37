import { clearScreenDown, createInterface, cursorTo, type Interface, type Key, moveCursor } from 'node:readline'
import type { CliTerminal } from '../io.js'

/** How reading a line ended. What had been typed stays with everything but a line. */
export type LineRead =
  | { readonly kind: 'line'; readonly text: string }
  /** Ctrl-C. */
  | { readonly kind: 'interrupt'; readonly draft: string }
  /** Ctrl-D on an empty line, or the terminal is gone. */
  | { readonly kind: 'end' }
  | { readonly kind: 'escape'; readonly draft: string }
  /** Taken away from outside. */
  | { readonly kind: 'closed'; readonly draft: string }

/** What one line is read with. */
export interface LineRequest {
  readonly prompt: string
  /** Typed already; may have several lines. */
  readonly draft: string
  readonly closed: AbortSignal
  /** Ctrl-C: words to say when the reading goes on with an empty line, `undefined` when it ends. */
  readonly interrupted?: (draft: string) => string | undefined
}

/** Reads lines from a person, with a history and completion. A paste of several lines is one text. */
export interface LineEditor {
  read(request: LineRequest): Promise<LineRead>
}

const HISTORY_SIZE = 200
const PASTE_ON = '\x1b[?2004h'
const PASTE_OFF = '\x1b[?2004l'

/** Takes what is drawn of an unfinished line off the screen. */
function erase(editor: Interface, { output }: CliTerminal): void {
  moveCursor(output, 0, -editor.getCursorPos().rows)
  cursorTo(output, 0)
  clearScreenDown(output)
}

/**
 * An editor over a terminal. `complete` answers the words that could stand for what was typed so far. A line that ends
 * in a backslash goes on in the next one.
 */
export function createLineEditor(terminal: CliTerminal, complete: (line: string) => readonly string[]): LineEditor {
  let history: string[] = []

  function read({ prompt, draft, closed, interrupted }: LineRequest): Promise<LineRead> {
    const lines = draft.split('\n')
    const last = lines.pop() ?? ''
    const editor = createInterface({
      input: terminal.input,
      output: terminal.output,
      terminal: true,
      prompt,
      history: [...history],
      historySize: HISTORY_SIZE,
      removeHistoryDuplicates: true,
      escapeCodeTimeout: 50,
      completer: (line: string) => [complete(line), line],
    })
    let pasting = false
    return new Promise((resolve) => {
      const text = (): string => [...lines, editor.line].join('\n')
      const finish = (read: LineRead): void => {
        terminal.input.off('keypress', onKey)
        closed.removeEventListener('abort', onClosed)
        // Only ours: the editor lets go of the keys by a listener of its own.
        editor.off('close', onEnd)
        if (read.kind !== 'line') erase(editor, terminal)
        terminal.output.write(PASTE_OFF)
        editor.close()
        resolve(read)
      }
      const onEnd = (): void => finish({ kind: 'end' })
      const onClosed = (): void => finish({ kind: 'closed', draft: text() })
      const onKey = (_text: string | undefined, key: Key): void => {
        if (key.name === 'paste-start') pasting = true
        if (key.name === 'paste-end') pasting = false
        if (key.name === 'escape' && !pasting) finish({ kind: 'escape', draft: text() })
      }
      const onLine = (line: string): void => {
        const goesOn = line.endsWith('\\')
        if (pasting || goesOn) {
          lines.push(goesOn && !pasting ? line.slice(0, -1) : line)
          editor.setPrompt('… ')
          return editor.prompt()
        }
        const whole = [...lines, line].join('\n')
        if (line.trim() !== '') history = [line, ...history.filter((old) => old !== line)].slice(0, HISTORY_SIZE)
        finish({ kind: 'line', text: whole })
      }
      terminal.input.on('keypress', onKey)
      closed.addEventListener('abort', onClosed)
      editor.on('line', onLine)
      editor.on('SIGINT', () => {
        const words = interrupted?.(text())
        if (words === undefined) return finish({ kind: 'interrupt', draft: text() })
        // The editor stays: a key pressed right after must not fall between two of them.
        erase(editor, terminal)
        lines.length = 0
        if (words !== '') terminal.output.write(`${words}\n`)
        editor.write(null, { ctrl: true, name: 'e' })
        editor.write(null, { ctrl: true, name: 'u' })
        editor.setPrompt(prompt)
        editor.prompt()
      })
      editor.on('close', onEnd)
      terminal.output.write(PASTE_ON)
      for (const line of lines) terminal.output.write(`${prompt}${line}\n`)
      editor.prompt()
      if (last !== '') editor.write(last)
    })
  }
  return { read }
}
