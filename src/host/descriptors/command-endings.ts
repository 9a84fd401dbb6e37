import type { CommandEnding } from '../tools/bash-tool.js'

/** More than ever run at once: an ending that nobody asks for any more is let go. */
const KEPT = 64

/** How commands ended, from the tool that ran them to whoever describes their results. */
export interface CommandEndings {
  readonly ended: (toolCallId: string, ending: CommandEnding) => void
  /** The ending of a call, once. */
  readonly take: (toolCallId: string) => CommandEnding | undefined
}

/** Keeps endings until they are taken. */
export function createCommandEndings(): CommandEndings {
  const endings = new Map<string, CommandEnding>()
  return {
    ended(toolCallId, ending) {
      endings.set(toolCallId, ending)
      for (const oldest of endings.keys()) {
        if (endings.size <= KEPT) return
        endings.delete(oldest)
      }
    },
    take(toolCallId) {
      const ending = endings.get(toolCallId)
      endings.delete(toolCallId)
      return ending
    },
  }
}
