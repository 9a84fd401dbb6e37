import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'

/** What this thread last saw of each file, by real path. Contents are compared, never times. */
export interface Freshness {
  /** The thread has just read or written the file: remember what it holds now. */
  saw(realPath: string): void
  /** Has the file changed since it was last seen? `unseen` where it never was, `gone` where nothing is there now. */
  stateOf(realPath: string): 'unseen' | 'same' | 'changed' | 'gone'
  /**
   * Does each of these texts stand in the file exactly once, on the very lines it was seen on? Then other lines
   * changed, and an edit of these is still meant as it was.
   */
  stillFits(realPath: string, texts: readonly string[]): boolean
}

/** Of smaller files, in bytes, the text itself is remembered, so that an edit can tell which lines changed. */
const REMEMBERED_BYTES = 512 * 1024

interface Sight {
  readonly digest: string
  readonly text: string | undefined
}

/** Remembers for one thread. Nothing is stored: after a restart each file is read again before it is written. */
export function createFreshness(): Freshness {
  const seen = new Map<string, Sight>()
  return {
    saw(realPath) {
      const sight = look(realPath)
      if (sight !== undefined) seen.set(realPath, sight)
    },
    stateOf(realPath) {
      const now = look(realPath)
      if (now === undefined) return 'gone'
      const before = seen.get(realPath)
      if (before === undefined) return 'unseen'
      return before.digest === now.digest ? 'same' : 'changed'
    },
    stillFits(realPath, texts) {
      const before = seen.get(realPath)?.text
      const now = look(realPath)?.text
      if (before === undefined || now === undefined || texts.length === 0) return false
      return texts.every((text) => {
        const lines = linesAround(plain(text), plain(now))
        return lines !== undefined && lines === linesAround(plain(text), plain(before))
      })
    },
  }
}

const plain = (text: string): string => text.replaceAll('\r\n', '\n')

/** The whole lines a text stands on, where it stands exactly once. */
function linesAround(text: string, content: string): string | undefined {
  const at = content.indexOf(text)
  if (at === -1 || content.includes(text, at + 1)) return undefined
  const end = content.indexOf('\n', at + text.length)
  return content.slice(content.lastIndexOf('\n', at) + 1, end === -1 ? undefined : end)
}

/** Above this size, in bytes, a file is compared by size and time: reading it whole would hold up the call. */
const HASHED_BYTES = 32 * 1024 * 1024

function look(path: string): Sight | undefined {
  try {
    const stat = statSync(path)
    if (!stat.isFile()) return undefined
    if (stat.size > HASHED_BYTES) return { digest: `${stat.size}:${stat.mtimeMs}`, text: undefined }
    const bytes = readFileSync(path)
    const digest = createHash('sha256').update(bytes).digest('base64')
    return { digest, text: bytes.length > REMEMBERED_BYTES ? undefined : bytes.toString('utf8') }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // An unreadable file can't be written either; the tool itself says so.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'EACCES') return undefined
    throw error
  }
}
