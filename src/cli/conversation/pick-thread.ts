import { select } from '@clack/prompts'
import type { StoredThreadSummary } from '../../core/index.js'
import { plural } from '../../core/plural.js'
import { type Asked, createAsking } from '../dialogs/asking.js'
import type { CliIo, CliTerminal } from '../io.js'
import { createPalette } from '../print/palette.js'
import { sanitizeLine } from '../print/sanitize.js'
import type { RunOptions } from '../run/run-options.js'

/** How many of the newest threads are offered. */
const OFFERED = 100

/** Lets a person choose one of a folder's stored threads, newest first. Answers the thread's id. */
export async function pickThread(
  threads: readonly StoredThreadSummary[],
  terminal: CliTerminal,
  io: Pick<CliIo, 'env' | 'clock'>,
  color: RunOptions['color'],
): Promise<Asked<string>> {
  const asking = createAsking(terminal, io.clock, createPalette(terminal.output, io.env, color).enabled)
  try {
    return await asking.ask(
      (streams) =>
        select({
          ...streams,
          message: 'Which thread?',
          options: threads.slice(0, OFFERED).map(({ threadId, title, messageCount, lastActivityAt }) => ({
            value: threadId,
            label: `${lastActivityAt.slice(0, 16).replace('T', ' ')}  ${sanitizeLine(title ?? threadId)}`,
            hint: plural(messageCount, 'message'),
          })),
        }),
      new AbortController().signal,
    )
  } finally {
    asking.close()
  }
}
