import { readFileSync } from 'node:fs'
import type { Bench, BenchThread } from './host-bench.js'

export const lines = (file: string): { type: string; message?: { role: string } }[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { type: string })

export const fileOf = (thread: BenchThread): string => thread.hosted.sessionFile!

export function stored(
  file: string,
  threadId: string,
): { threadId: string; session: { kind: 'stored'; file: string } } {
  return { threadId, session: { kind: 'stored', file } }
}

/** A closed thread of two answered prompts. */
export async function twoTurns({ server, open }: Bench): Promise<{ file: string; threadId: string }> {
  server.enqueue({ text: 'one' }, { text: 'two' })
  const thread = await open()
  await thread.run('first')
  await thread.run('second')
  await thread.hosted.close()
  return { file: fileOf(thread), threadId: thread.hosted.threadId }
}
