import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { EnsoError, isEnsoThreadId, jsonLine, type StoredThreadRef } from '../../core/index.js'
import { canonicalPath, projectIdOf } from '../../system/project-id.js'
import { refuseUsage } from '../faults.js'
import { sanitizeLine } from '../print/sanitize.js'
import { threadText } from '../print/thread-text.js'
import { fit, usableWidth } from '../print/layout.js'
import type { CliCommand, Invocation } from './command.js'

const SUBCOMMANDS: Readonly<Record<string, (invocation: Invocation, words: readonly string[]) => Promise<number>>> = {
  list,
  show,
  rm,
}

/** `enso threads`: what is stored, without the agent library. */
export const threadsCommand: CliCommand = {
  name: 'threads',
  usage: ['threads [list] [--all]', 'threads show ID', 'threads rm ID…'],
  about: 'Lists, shows and removes stored threads.',
  flags: [
    {
      title: 'Flags',
      flags: [
        { name: 'all', short: 'a', help: "every project's threads, not only this folder's" },
        { name: 'json', help: 'one JSON object a line' },
        { name: 'cwd', short: 'C', value: 'DIR', help: 'the folder whose threads are meant' },
      ],
    },
  ],
  examples: [
    ['enso threads', 'the threads of this folder, newest first'],
    ['enso threads show ID', 'the whole thread as text'],
  ],
  run: async (invocation) => {
    const [name = 'list', ...words] = [...invocation.line.words, ...invocation.line.literal]
    const subcommand = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined
    if (subcommand !== undefined) return subcommand(invocation, words)
    return refuseUsage(invocation.io, [], {
      reason: `threads has no '${sanitizeLine(name)}'`,
      hint: 'list, show ID, rm ID; to send it as a prompt: enso run threads …',
    })
  },
}

async function list({ line, io, parts }: Invocation): Promise<number> {
  const store = await parts.store()
  const project = line.has('all') ? undefined : projectIdOf(canonicalPath(line.value('cwd') ?? io.cwd))
  const threads = await store.list(project)
  if (line.has('json')) {
    for (const thread of threads) io.stdout.write(`${jsonLine(thread)}\n`)
    return 0
  }
  if (threads.length === 0) {
    io.stderr.write(project === undefined ? 'no threads\n' : 'no threads in this folder; --all lists every one\n')
    return 0
  }
  const width = usableWidth(io.stdout)
  for (const { threadId, title, messageCount, lastActivityAt, cwd } of threads) {
    const where = project === undefined ? `  ${sanitizeLine(cwd)}` : ''
    const what = `${title === undefined ? '(no title)' : sanitizeLine(title)}${where}`
    const when = lastActivityAt.slice(0, 16).replace('T', ' ')
    io.stdout.write(`${fit(`${threadId}  ${when}  ${String(messageCount).padStart(4)}  ${what}`, width)}\n`)
  }
  return 0
}

/** @throws EnsoError `thread-unknown`, `bad-input` */
async function find({ parts }: Invocation, threadId: string): Promise<StoredThreadRef> {
  if (!isEnsoThreadId(threadId)) throw new EnsoError('bad-input', `'${String(threadId)}' is no thread id`)
  const ref = await (await parts.store()).find(threadId)
  if (ref !== undefined) return ref
  throw new EnsoError('thread-unknown', `there is no thread ${threadId}`, {
    hint: 'enso threads --all lists what there is',
  })
}

async function show(invocation: Invocation, words: readonly string[]): Promise<number> {
  const { line, io, parts } = invocation
  const [threadId] = words
  if (threadId === undefined || words.length > 1) {
    return refuseUsage(io, [], { reason: 'threads show takes one thread id' })
  }
  const ref = await find(invocation, threadId)
  const reading = await (await parts.store()).read(ref)
  if (line.has('json')) {
    io.stdout.write(`${jsonLine({ threadId, cwd: ref.cwd, ...reading })}\n`)
    return 0
  }
  io.stdout.write(threadText(reading.entries))
  if (reading.skippedLines > 0) io.stderr.write(`${reading.skippedLines} unreadable lines were left out\n`)
  if (reading.interrupted !== undefined) io.stderr.write(`interrupted: ${reading.interrupted}\n`)
  return 0
}

async function rm(invocation: Invocation, words: readonly string[]): Promise<number> {
  const { io } = invocation
  if (words.length === 0) return refuseUsage(io, [], { reason: 'threads rm takes a thread id' })
  const refs = await Promise.all(words.map((threadId) => find(invocation, threadId)))
  const { createThreadLocks, lockPathOf } = await import('../../thread/thread-lock.js')
  const locks = createThreadLocks()
  for (const { threadId, file } of refs) {
    // A thread that some process has built is not taken from under it.
    const lock = locks.acquire(lockPathOf(dirname(file), threadId))
    try {
      removeFile(file)
    } finally {
      lock.release()
    }
    io.stderr.write(`removed ${threadId}\n`)
  }
  return 0
}

/** @throws EnsoError `disk` */
function removeFile(file: string): void {
  try {
    rmSync(file)
  } catch (error) {
    throw new EnsoError('disk', `${file} can't be removed: ${(error as Error).message}`, { cause: error })
  }
}
