import { resolve } from 'node:path'
import { EnsoError, jsonLine } from '../../../core/index.js'
import { secretsRedactor } from '../../../log/text-redactor.js'
import { writePrivateFile } from '../../../system/private-files.js'
import { refuseUsage } from '../../faults.js'
import type { Invocation } from '../../commands/command.js'
import { findThread } from '../find-thread.js'
import { writePieces } from '../output.js'
import { threadLog } from '../records.js'
import { exportedThread, type ExportedThread } from './document.js'
import { htmlPieces } from './html.js'
import { markdownPieces } from './markdown.js'
import { redactDeep } from './redact.js'

const FORMS: Readonly<Record<string, (thread: ExportedThread) => Iterable<string>>> = {
  html: htmlPieces,
  md: markdownPieces,
  json: (thread) => [`${jsonLine(thread)}\n`],
}

/**
 * `enso threads export ID`: the whole thread as one file, without what a log would leave out.
 * @throws EnsoError `thread-unknown`, `thread-unreadable`, `disk`
 */
export async function exportThread(invocation: Invocation, [wished = '']: readonly string[]): Promise<number> {
  const { line, io } = invocation
  const chosen = Object.keys(FORMS).filter((name) => line.has(name))
  const [form = ''] = chosen
  const pieces = FORMS[form]
  if (pieces === undefined || chosen.length > 1) {
    return refuseUsage(io, [], { reason: 'threads export takes one of --html, --md and --json' })
  }
  const thread = await gather(invocation, wished)
  if (line.value('output') === '-') {
    await writePieces(io.stdout, pieces(thread))
    return 0
  }
  const path = resolve(io.cwd, line.value('output') ?? `enso-${thread.threadId}.${form}`)
  writeFile(path, pieces(thread))
  io.stdout.write(`${path}\n`)
  const advice = thread.redacted ? 'read the file before you send it' : 'secrets were left in: keep it to yourself'
  io.stderr.write(`${advice}\n`)
  if (thread.skippedLines > 0) io.stderr.write(`${thread.skippedLines} unreadable lines are not in it\n`)
  return 0
}

async function gather(invocation: Invocation, wished: string): Promise<ExportedThread> {
  const { line, io, parts } = invocation
  const store = await parts.store()
  const ref = await findThread(store, wished)
  const [reading, records] = [await store.read(ref), await store.records(ref)]
  const log = await threadLog(invocation).account(ref.threadId, Date.parse(records.startedAt) || 0)
  const source = { enso: parts.version, now: io.clock.now(), ref, log }
  if (line.has('no-redact')) return exportedThread({ ...source, redacted: false, reading, records })
  const redactor = secretsRedactor(io.env, parts.home.agentDir)
  return exportedThread({
    ...source,
    redacted: true,
    ref: redactDeep(ref, redactor),
    reading: redactDeep(reading, redactor),
    records: redactDeep(records, redactor),
  })
}

/** @throws EnsoError `disk` */
function writeFile(path: string, pieces: Iterable<string>): void {
  try {
    writePrivateFile(path, [...pieces].join(''))
  } catch (error) {
    throw new EnsoError('disk', `${path} can't be written: ${(error as Error).message}`, { cause: error })
  }
}
