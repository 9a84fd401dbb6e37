import type { EnsoAbortReceipt } from '../../core/index.js'
import { type Asking, createAsking } from '../dialogs/asking.js'
import type { CliIo, CliTerminal } from '../io.js'
import { foldLines } from '../print/fold-lines.js'
import { usableWidth } from '../print/layout.js'
import type { Palette } from '../print/palette.js'
import { sanitizeLine } from '../print/sanitize.js'
import type { Conversation, ConversationKit } from '../print/text-voice.js'
import type { RunDoor } from '../run/run-door.js'
import { createLineEditor, type LineRead } from './line-editor.js'
import { watchRunKeys } from './run-keys.js'
import { createSlashCommands } from './slash-commands.js'

/** What a conversation is made with beside its terminal. */
export interface ConversationOptions extends ConversationKit {
  readonly io: Pick<CliIo, 'clock'>
  readonly palette: Palette
}

type RawInput = CliTerminal['input'] & { setRawMode?(raw: boolean): void }

const PROMPT = '› '
const INTERJECTION = '+ '
const HELP = '/help lists the commands, Ctrl-C stops a run, Ctrl-D leaves'

/**
 * Prompt after prompt on a terminal.
 *
 * While a run goes its output flows and keys are not shown; the first letter typed holds the output and opens a line,
 * which is admitted as an interruption. Ctrl-C stops the run, and what waited is offered again; Ctrl-D leaves.
 */
export function createConversation({ terminal, surface, io, palette }: ConversationOptions): Conversation {
  const slash = createSlashCommands()
  const editor = createLineEditor(terminal, slash.complete)
  let door: RunDoor | undefined
  let over = false
  let draft = ''
  let pauses = 0
  /** Something is being put to the thread or chosen by the person; what it comes to decides what happens next. */
  let working = 0
  let stopping = false
  let leaveKeys: (() => void) | undefined
  let reading: { readonly closed: AbortController; readonly done: Promise<void> } | undefined
  let choosing: Promise<unknown> | undefined

  const isRunning = (): boolean => door !== undefined && !door.isQuiet()
  const say = (text: string): void => {
    if (text === '') return
    // What is drawn at the bottom while a run goes gives way.
    const release = surface.hold()
    terminal.output.write(`${text}\n`)
    release()
  }

  /** Keys pressed while nobody reads wait as keys: no echo, no line, no signal. */
  const keepKeys = (): void => {
    if (!over && pauses === 0) (terminal.input as RawInput).setRawMode?.(true)
  }

  /** Goes on with whatever the moment calls for: a line, the keys, or nothing. */
  function proceed(): void {
    if (over || door === undefined || pauses > 0 || working > 0 || reading !== undefined) return
    const running = isRunning()
    if (running && draft === '') leaveKeys ??= watchKeys()
    else {
      stopKeys()
      read(door, running)
    }
  }

  function watchKeys(): () => void {
    return watchRunKeys(terminal, {
      typed(text) {
        leaveKeys = undefined
        draft = text
        proceed()
      },
      stop: () => void interrupt(),
    })
  }

  function stopKeys(): void {
    leaveKeys?.()
    leaveKeys = undefined
  }

  function read(at: RunDoor, interjects: boolean): void {
    const closed = new AbortController()
    const release = surface.hold()
    const given = draft
    draft = ''
    const prompt = palette.cyan(interjects ? INTERJECTION : PROMPT)
    const interrupted = (typed: string): string | undefined => {
      if (isRunning()) return undefined
      return typed === '' ? palette.dim('Ctrl-D leaves') : ''
    }
    const done = editor.read({ prompt, draft: given, closed: closed.signal, interrupted }).then((line) => {
      reading = undefined
      keepKeys()
      release()
      void taken(line, at, interjects).catch((error: unknown) => {
        say(palette.red(`✗ ${sanitizeLine(String(error))}`))
        at.stop('abort')
      })
    })
    reading = { closed, done }
  }

  async function taken(line: LineRead, at: RunDoor, interjects: boolean): Promise<void> {
    switch (line.kind) {
      case 'line':
        await submit(line.text, at)
        break
      case 'interrupt':
        interrupt()
        break
      case 'end':
        if (!isRunning()) return at.finish()
        break
      case 'escape':
        // Esc while a run goes takes the line back; at the prompt it means nothing, and nothing typed is lost.
        if (!interjects) draft = line.draft
        break
      case 'closed':
        draft = line.draft
        break
    }
    proceed()
  }

  async function submit(text: string, at: RunDoor): Promise<void> {
    if (text.trim() === '') return
    working++
    try {
      await (text.startsWith('/') ? command(text, at) : prompt(text, at))
    } finally {
      working--
      keepKeys()
    }
  }

  async function prompt(message: string, at: RunDoor): Promise<void> {
    const outcome = await at.operate('prompt', isRunning() ? { message, admission: 'interrupt' } : { message })
    if (outcome.ok) return
    // A fault that ends the whole process is said as its last word; it closes this conversation in the same turn.
    await new Promise((resolve) => void setImmediate(resolve))
    if (over) return
    say(palette.red(`✗ ${sanitizeLine(outcome.refusal.reason)}`))
    draft = message
  }

  async function command(line: string, at: RunDoor): Promise<void> {
    await slash.refresh(at)
    const asking = createAsking(terminal, io.clock, palette.enabled)
    const ask: Asking['ask'] = (...given) => {
      const asked = asking.ask(...given)
      choosing = asked.finally(() => (choosing = undefined))
      return asked
    }
    try {
      const result = await slash.run(line, at, { ask })
      if (result.kind === 'prompt') return await prompt(line, at)
      if (result.kind === 'leave') return at.finish()
      if (result.kind === 'done') say(result.say)
    } finally {
      asking.close()
    }
  }

  function interrupt(): boolean {
    if (door === undefined || !isRunning()) return false
    if (stopping) {
      door.stop('SIGINT')
      return true
    }
    stopping = true
    working++
    say(palette.dim('stopping…'))
    void door.operate('abort', {}).then((outcome) => {
      stopping = false
      working--
      // What waited is the person's again, before what they were typing.
      if (outcome.ok) draft = [...(outcome.result as EnsoAbortReceipt).restored, draft].filter(Boolean).join('\n')
      proceed()
    })
    return true
  }

  return {
    open(opened) {
      // A line that is being written would hold back how the thread was left.
      void opened.linked.then(() => {
        if (over) return
        door = opened
        say(palette.dim(foldLines(HELP, usableWidth(terminal.output))))
        proceed()
      })
    },
    // Whoever has just asked something goes on first.
    idle: () => void setImmediate(proceed),
    interrupt,
    async pause() {
      pauses++
      await choosing
      stopKeys()
      reading?.closed.abort()
      await reading?.done
      let resumed = false
      return () => {
        if (resumed) return
        resumed = true
        pauses--
        proceed()
      }
    },
    close() {
      over = true
      stopKeys()
      reading?.closed.abort()
      ;(terminal.input as RawInput).setRawMode?.(false)
    },
  }
}
