import type { EnsoDialogSpec, LoginInteraction } from '../../core/index.js'
import type { Palette } from '../print/palette.js'
import { sanitizeLine } from '../print/sanitize.js'
import { askDialog } from './ask-dialog.js'
import type { Asking } from './asking.js'

/** What a login on a terminal is asked with. */
export interface TerminalLoginOptions {
  readonly asking: Asking
  readonly palette: Palette
  /** Ctrl-C in a question. */
  readonly stop: () => void
  /** Esc in a question. */
  readonly cancelled: () => void
}

/** A login's questions on a terminal, one after another. A secret is masked and nowhere shown. */
export function terminalLogin({ asking, palette, stop, cancelled }: TerminalLoginOptions): LoginInteraction {
  async function ask(spec: EnsoDialogSpec, signal: AbortSignal | undefined): Promise<string | undefined> {
    const closed = signal ?? new AbortController().signal
    const asked = await askDialog(spec, { asking, palette, closed, left: () => undefined, editor: undefined })
    if (asked.kind === 'stop') stop()
    if (asked.kind === 'cancelled') cancelled()
    return asked.kind === 'value' && 'value' in asked.value ? asked.value.value : undefined
  }
  return { input: ask, select: ask, progress: (message) => asking.write(sanitizeLine(message)) }
}
