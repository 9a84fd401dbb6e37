import { jsonLine } from '../../core/index.js'
import type { Invocation } from '../commands/command.js'
import { findThread } from './find-thread.js'
import { writePieces } from './output.js'
import { outputStyle } from './subcommand.js'
import { transcriptBlocks } from './transcript-text.js'

/** `enso threads show ID`: the conversation. */
export async function showThread(invocation: Invocation, [wished = '']: readonly string[]): Promise<number> {
  const { line, io, parts } = invocation
  const store = await parts.store()
  const ref = await findThread(store, wished)
  const reading = await store.read(ref)
  if (line.has('json')) {
    await writePieces(io.stdout, [`${jsonLine({ threadId: ref.threadId, cwd: ref.cwd, ...reading })}\n`])
    return 0
  }
  await writePieces(io.stdout, separated(transcriptBlocks(reading.entries, outputStyle(invocation))))
  if (reading.skippedLines > 0) io.stderr.write(`${skipped(reading.skippedLines)}\n`)
  if (reading.interrupted !== undefined) io.stderr.write(`interrupted: ${reading.interrupted}\n`)
  return 0
}

/** What a person is told of lines that were left out. */
export function skipped(lines: number): string {
  return lines === 1 ? '1 unreadable line was left out' : `${lines} unreadable lines were left out`
}

function* separated(blocks: Iterable<string>): Generator<string> {
  let first = true
  for (const block of blocks) {
    yield first ? `${block}\n` : `\n${block}\n`
    first = false
  }
}
