import { jsonLine } from '../../core/index.js'
import type { Invocation } from '../commands/command.js'
import { accountsOf } from './accounts.js'
import { writePieces } from './output.js'
import { threadStatsText } from './stats-text.js'
import { outputStyle } from './subcommand.js'

/** `enso threads stats ID`: the thread in numbers. */
export async function showThreadStats(invocation: Invocation, [wished = '']: readonly string[]): Promise<number> {
  const { line, io } = invocation
  const stats = await (await accountsOf(invocation)).stats(wished)
  const text = line.has('json') ? `${jsonLine(stats)}\n` : threadStatsText(stats, outputStyle(invocation))
  await writePieces(io.stdout, [text])
  return 0
}
