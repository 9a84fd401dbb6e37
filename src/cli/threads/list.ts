import { basename } from 'node:path'
import { jsonLine } from '../../core/index.js'
import { canonicalPath, projectIdOf } from '../../system/project-id.js'
import type { Invocation } from '../commands/command.js'
import { fit, usableWidth } from '../print/layout.js'
import { sanitizeLine } from '../print/sanitize.js'

/** Files that are named where they are no threads. */
const NAMED_MAX = 5

/** `enso threads`: one thread a line, newest first. */
export async function listThreads({ line, io, parts }: Invocation): Promise<number> {
  const store = await parts.store()
  const project = line.has('all') ? undefined : projectIdOf(canonicalPath(line.value('cwd') ?? io.cwd))
  const unreadable: string[] = []
  const threads = await store.list(project, (file) => unreadable.push(file))
  if (line.has('json')) {
    for (const thread of threads) io.stdout.write(`${jsonLine(thread)}\n`)
  } else {
    const width = usableWidth(io.stdout)
    for (const { threadId, title, messageCount, lastActivityAt, cwd } of threads) {
      const where = project === undefined ? `  ${sanitizeLine(cwd)}` : ''
      const what = `${title === undefined ? '(no title)' : sanitizeLine(title)}${where}`
      const when = lastActivityAt.slice(0, 16).replace('T', ' ')
      io.stdout.write(`${fit(`${threadId}  ${when}  ${String(messageCount).padStart(4)}  ${what}`, width)}\n`)
    }
    if (threads.length === 0) {
      io.stderr.write(project === undefined ? 'no threads\n' : 'no threads in this folder; --all lists every one\n')
    }
  }
  if (unreadable.length > 0) io.stderr.write(`${unreadableText(unreadable)}\n`)
  return 0
}

/** Which files are no threads, by name. */
export function unreadableText(files: readonly string[]): string {
  const names = files
    .slice(0, NAMED_MAX)
    .map((file) => sanitizeLine(basename(file)))
    .join(', ')
  const more = files.length > NAMED_MAX ? `, and ${files.length - NAMED_MAX} more` : ''
  return `${files.length === 1 ? '1 file is no thread' : `${files.length} files are no threads`}: ${names}${more}`
}
