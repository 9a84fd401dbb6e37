import type { ExtensionFactory } from '@mariozechner/pi-coding-agent'

/** The library's pointer to its own manual: files that are not where it says, about a program that is not this one. */
const LIBRARY_MANUAL = /\n+Pi documentation \(read only when[^\n]*(?:\n- [^\n]*)*/

/** The agent library's system prompt without what is only true of its own program. */
export function withoutLibraryManual(systemPrompt: string): string {
  return systemPrompt
    .replace(LIBRARY_MANUAL, '')
    .replace('operating inside pi, a coding agent harness', 'operating inside enso, a coding agent harness')
}

/** Gives every run of a thread the system prompt as it is true here. Stands before what records the prompt. */
export function createOwnPrompt(): ExtensionFactory {
  return (pi) => {
    pi.on('before_agent_start', ({ systemPrompt }) => ({ systemPrompt: withoutLibraryManual(systemPrompt) }))
  }
}
