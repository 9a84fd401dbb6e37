import { closeSync, constants, existsSync, fstatSync, ftruncateSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { SessionEntry, SessionManager } from '@mariozechner/pi-coding-agent'
import { EnsoError } from '../../core/index.js'
import { PRIVATE_FILE_MODE, mkdirPrivate } from '../../system/private-files.js'
import { replacePersist } from '../pi-internals.js'
import { writeWhole } from './session-file.js'

/** Entries that alone don't make a thread worth a file: settings of one that nobody has said anything in yet. */
const WAITS_FOR_CONTENT: ReadonlySet<string> = new Set([
  'model_change',
  'thinking_level_change',
  'session_info',
  'label',
  'custom',
])

export interface WriteThroughDeps {
  /** Throws when the thread's lock is no longer ours; nothing is written then, now or later. */
  readonly beforeAppend?: (() => void) | undefined
  /** An append failed: the session goes on in memory, the run must not. */
  readonly failed: (error: EnsoError) => void
}

/** Appends at the end of the file and takes a half-written line back, so that no torn line is left behind. */
function appendText(file: string, text: string, create: boolean): void {
  const how = constants.O_WRONLY | constants.O_APPEND | (create ? constants.O_CREAT | constants.O_EXCL : 0)
  const fd = openSync(file, how, PRIVATE_FILE_MODE)
  try {
    const { size } = fstatSync(fd)
    try {
      writeWhole(fd, text)
    } catch (error) {
      ftruncateSync(fd, size)
      throw error
    }
  } finally {
    closeSync(fd)
  }
}

/**
 * Puts each entry on disk as it is appended, from the first prompt on. Entries that could not be written are kept and
 * go first with the next append, so that the stored branch never has a hole.
 */
export function writeThrough(manager: SessionManager, deps: WriteThroughDeps): void {
  const file = manager.getSessionFile()
  if (file === undefined) return
  let exists = existsSync(file)
  let lost = false
  let waiting: string[] = []

  function write(): void {
    if (exists) {
      appendText(file!, waiting.join(''), false)
    } else {
      mkdirPrivate(dirname(file!))
      appendText(file!, `${JSON.stringify(manager.getHeader())}\n${waiting.join('')}`, true)
      exists = true
    }
    waiting = []
  }

  replacePersist(manager, (entry: SessionEntry) => {
    if (lost) return
    waiting.push(`${JSON.stringify(entry)}\n`)
    if (!exists && WAITS_FOR_CONTENT.has(entry.type)) return
    try {
      deps.beforeAppend?.()
    } catch (cause) {
      lost = true
      waiting = []
      const fault = cause instanceof EnsoError ? cause : new EnsoError('lock-lost', String(cause), { cause })
      deps.failed(fault)
      return
    }
    try {
      write()
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      deps.failed(new EnsoError('disk', `the thread could not be stored: ${reason}`, { cause }))
    }
  })
}
