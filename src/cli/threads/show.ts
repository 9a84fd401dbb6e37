import { type EnsoTranscriptEntry, jsonLine, type StoredThreadRef, type StoredThreadTold } from '../../core/index.js'
import type { Invocation } from '../commands/command.js'
import { findThread } from './find-thread.js'
import { createPieceWriter } from './output.js'
import { outputStyle } from './subcommand.js'
import { createTranscriptText } from './transcript-text.js'

/** What a thread is shown as, piece by piece. */
interface Shown {
  entry(entry: EnsoTranscriptEntry): string
  end(told: StoredThreadTold): string
}

/** `enso threads show ID`: the conversation, entry by entry as it is read. */
export async function showThread(invocation: Invocation, [wished = '']: readonly string[]): Promise<number> {
  const { line, io, parts } = invocation
  const store = await parts.store()
  const ref = await findThread(store, wished)
  const shown: Shown = line.has('json') ? jsonShown(ref) : createTranscriptText(outputStyle(invocation))
  const writer = createPieceWriter(io.stdout)
  try {
    const told = await store.walk(ref, (entry) => writer.write(shown.entry(entry)))
    void (await writer.write(shown.end(told)))
    if (line.has('json')) return 0
    if (told.skippedLines > 0) io.stderr.write(`${skipped(told.skippedLines)}\n`)
    if (told.interrupted !== undefined) io.stderr.write(`interrupted: ${told.interrupted}\n`)
    return 0
  } finally {
    await writer.end()
  }
}

/** One object on one line, as if it had been made whole. */
function jsonShown({ threadId, cwd }: StoredThreadRef): Shown {
  let before = `${jsonLine({ threadId, cwd }).slice(0, -1)},"entries":[`
  return {
    entry(entry) {
      const text = before + jsonLine(entry)
      before = ','
      return text
    },
    end: (told) => `${before === ',' ? '' : before}],${jsonLine(told).slice(1)}\n`,
  }
}

/** What a person is told of lines that were left out. */
export function skipped(lines: number): string {
  return lines === 1 ? '1 unreadable line was left out' : `${lines} unreadable lines were left out`
}
