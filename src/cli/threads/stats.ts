import { foldThreadStats, jsonLine } from '../../core/index.js'
import type { Invocation } from '../commands/command.js'
import { writePieces } from './output.js'
import { findRecords, threadLog } from './records.js'
import { threadStatsText } from './stats-text.js'
import { outputStyle } from './subcommand.js'

/** `enso threads stats ID`: the thread in numbers. */
export async function showThreadStats(invocation: Invocation, [wished = '']: readonly string[]): Promise<number> {
  const { line, io } = invocation
  const { ref, records } = await findRecords(invocation, wished)
  const { threadId } = ref
  const log = await threadLog(invocation).account(threadId, Date.parse(records.startedAt) || 0)
  const stats = foldThreadStats({ threadId, live: false, records, log })
  const text = line.has('json') ? `${jsonLine(stats)}\n` : threadStatsText(stats, outputStyle(invocation))
  await writePieces(io.stdout, [text])
  return 0
}
