import type { HostCommandOption } from '../../core/index.js'

interface ModeWords {
  readonly label: string
  readonly detail: string
}

const WORDS: ReadonlyMap<string, ModeWords> = new Map([
  ['default', { label: 'Ask first', detail: 'asks before anything that writes or runs' }],
  ['acceptEdits', { label: 'Accept edits', detail: 'file changes in the project pass' }],
  ['plan', { label: 'Plan', detail: 'reads only' }],
  ['auto', { label: 'Auto', detail: 'commands of low risk pass too' }],
  ['bypassPermissions', { label: 'Bypass', detail: 'asks nothing; only the guard refuses' }],
  ['dontAsk', { label: 'Don’t ask', detail: 'refuses what would have to be asked' }],
])

/** The modes a new thread may start in, as far as the page can know before there is one. */
export const START_MODES = ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk'] as const

/** A mode in a person's words; one that is not known here by its own name. */
export function modeLabel(mode: string): string {
  return WORDS.get(mode)?.label ?? mode
}

/** A mode as a choice. */
export function modeOption(mode: string): HostCommandOption {
  const words = WORDS.get(mode)
  return words === undefined ? { id: mode, label: mode } : { id: mode, ...words }
}
