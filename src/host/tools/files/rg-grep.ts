import { spawn } from 'node:child_process'
import { basename, relative } from 'node:path'
import {
  gatherGrep,
  type GrepDeps,
  type GrepGathering,
  type GrepInput,
  type GrepLine,
  grepLimit,
  type GrepResult,
  isSearchedFolder,
} from './grep-result.js'
import { RIPGREP, RIPGREP_OUTPUT } from './ripgrep.js'

/** How much of what ripgrep complains about is kept, in characters. */
const COMPLAINT_MAX = 2000

/** A path, its end, a number and what kind of line it is. */
const LINE = /^([^\0]*)\0(\d+)([:-])(.*)$/s

interface Searching extends GrepDeps {
  readonly input: GrepInput
  readonly root: string
  readonly pathOf: (file: string) => string
}

/**
 * Searches with ripgrep, which is told to cut long lines itself: its own account of one line of a hundred megabytes is
 * larger than any text can be. Ended as soon as there is more than a result shows.
 *
 * @throws Error for a path that isn't there, what ripgrep refuses, and a stop
 */
export async function rgGrep(input: GrepInput, deps: GrepDeps, signal: AbortSignal | undefined): Promise<GrepResult> {
  const root = deps.resolve(input.path ?? '.')
  const isFolder = isSearchedFolder(root)
  if (signal?.aborted) throw new Error('Operation aborted')
  const pathOf = (file: string): string => (isFolder ? relative(root, file) : basename(root)).replaceAll('\\', '/')
  return search({ ...deps, input, root, pathOf }, signal)
}

function argumentsOf({ input, root }: Searching): string[] {
  const { pattern, glob, ignoreCase, literal, context = 0 } = input
  return [
    ...RIPGREP_OUTPUT,
    '--line-number',
    '--with-filename',
    '--no-heading',
    '--color=never',
    '--hidden',
    // A file's matches are held back until all of it was searched.
    `--max-count=${grepLimit(input)}`,
    ...(context > 0 ? ['--context', String(Math.floor(context))] : []),
    ...(ignoreCase ? ['--ignore-case'] : []),
    ...(literal ? ['--fixed-strings'] : []),
    ...(glob === undefined ? [] : ['--glob', glob]),
    '--',
    pattern,
    root,
  ]
}

/** Takes ripgrep's lines, and knows when no more are needed. */
function createTaker({ input, pathOf, mayRead }: Searching, gathered: GrepGathering) {
  const hasContext = (input.context ?? 0) > 0
  let shown: { readonly path: string; readonly may: boolean } | undefined
  let over = false

  function take(line: string): void {
    const found = parseLine(line)
    // What stands behind the last match belongs to it, up to the next match or gap.
    if (gathered.isLimited() && found?.isMatch !== false) over = true
    if (over || found === undefined) return
    if (shown?.path !== found.path) shown = { path: found.path, may: mayRead(found.path) }
    if (!shown.may) return
    gathered.add({ ...found, path: pathOf(found.path) })
    over = gathered.isFull() || (gathered.isLimited() && !hasContext)
  }
  return { take, isOver: () => over }
}

function search(searching: Searching, signal: AbortSignal | undefined): Promise<GrepResult> {
  const gathered = gatherGrep(grepLimit(searching.input))
  const { take, isOver } = createTaker(searching, gathered)
  const child = spawn(RIPGREP, argumentsOf(searching), { stdio: ['ignore', 'pipe', 'pipe'] })
  const stop = (): void => void child.kill()
  signal?.addEventListener('abort', stop, { once: true })
  let complaint = ''
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    if (isOver()) return
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
    if (isOver()) stop()
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    complaint = (complaint + chunk).slice(0, COMPLAINT_MAX)
  })
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new Error(`Failed to run ripgrep: ${error.message}`)))
    child.on('close', (code) => {
      signal?.removeEventListener('abort', stop)
      if (signal?.aborted) return reject(new Error('Operation aborted'))
      const failed = !isOver() && code !== 0 && code !== 1
      if (!failed) return resolve(gathered.result())
      // What could not be read makes a search incomplete, and not one that found nothing.
      const why = complaint.trim() || `ripgrep ended with ${code}`
      if (gathered.isEmpty()) return reject(new Error(why))
      const { text, details } = gathered.result()
      resolve({ text: `${text}\n\n[Not everything was searched: ${why}]`, details })
    })
  })
}

function parseLine(line: string): GrepLine | undefined {
  const parts = LINE.exec(line)
  if (parts === null) return undefined
  const [, path = '', number, kind, text = ''] = parts
  return { path, line: Number(number), text: text.replaceAll('\r', ''), isMatch: kind === ':' }
}
