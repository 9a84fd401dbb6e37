import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { readOrdinaryFile } from '../../system/read-ordinary.js'

/** A file whose words are put before the model with every request. */
export interface InstructionFile {
  readonly path: string
  readonly content: string
}

/** Names such files have; of several in one folder the first counts. */
const NAMES = ['AGENTS.md', 'AGENTS.MD', 'CLAUDE.md', 'CLAUDE.MD']

/** More is no instruction: it would fill the model's context. */
export const INSTRUCTIONS_MAX_BYTES = 256 * 1024

/**
 * The instruction files for a workspace: the person's own, then those of the folders from the root down to it. A
 * repository brings its own along, so none is read for what it is called alone: a link that leads out of its folder to
 * something else than such a text, what is no file, and what is too large are left out, each with a note why.
 */
export function instructionFiles(
  { cwd, agentDir }: { readonly cwd: string; readonly agentDir: string },
  note: (text: string) => void,
): InstructionFile[] {
  const folders = new Set([agentDir])
  const above: string[] = []
  for (let at = resolve(cwd); ; at = dirname(at)) {
    above.unshift(at)
    if (at === dirname(at)) break
  }
  for (const folder of above) folders.add(folder)
  return [...folders].flatMap((folder) => {
    for (const name of NAMES) {
      const path = join(folder, name)
      if (!existsSync(path)) continue
      const reason = folder === agentDir ? undefined : strayLink(path)
      try {
        if (reason === undefined) return [{ path, content: readOrdinaryFile(path, INSTRUCTIONS_MAX_BYTES) }]
        note(`${path} is left out: ${reason}`)
      } catch (error) {
        note(`${path} is left out: ${reasonOf(error as NodeJS.ErrnoException)}`)
      }
    }
    return []
  })
}

/** Why a link isn't followed: in a repository it could name any file of the person's, keys and all. */
function strayLink(path: string): string | undefined {
  const real = realpathSync(path)
  const way = relative(realpathSync(dirname(path)), real)
  if (!way.startsWith('..') || /\.(?:md|markdown)$/i.test(real)) return undefined
  return 'it is a link to something else outside its folder'
}

function reasonOf({ code }: NodeJS.ErrnoException): string {
  if (code === 'EFBIG') return `it is larger than ${INSTRUCTIONS_MAX_BYTES / 1024} KiB`
  return code === 'EINVAL' ? 'it is no ordinary file' : `it can’t be read (${code ?? 'unknown'})`
}
