import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EnsoError } from '../../core/index.js'
import { contentDigest, type UndoStore } from '../../system/undo-store.js'
import type { FileToGiveBack } from './plan.js'

/** What giving one file back comes to. */
export type FileStep =
  | {
      readonly path: string
      readonly action: 'restore'
      readonly current: Buffer | undefined
      readonly content: Buffer
      readonly mode: number
    }
  | { readonly path: string; readonly action: 'remove'; readonly current: Buffer }
  /** It is again what it was. */
  | { readonly path: string; readonly action: 'none' }
  | { readonly path: string; readonly action: 'refused'; readonly why: string }

/** Looks at a file and says what giving it back comes to. Refused where it holds what no call of the thread left there. */
export function stepFor({ path, before, after }: FileToGiveBack, store: Pick<UndoStore, 'content'>): FileStep {
  const refused = (why: string): FileStep => ({ path, action: 'refused', why })
  const now = contentOf(path)
  if (now === 'no-file') return refused('it is no plain file now')
  const digest = now === undefined ? null : contentDigest(now)
  if (before.kind === 'not-kept') return refused(`what it held was not kept: ${before.why}`)
  if (before.kind === 'absent' ? now === undefined : digest === before.digest) return { path, action: 'none' }
  if (after === undefined) return refused('nobody saw the end of the call that changed it')
  if (digest !== after) return refused('it has changed since')
  if (before.kind === 'absent')
    return now === undefined ? { path, action: 'none' } : { path, action: 'remove', current: now }
  const content = store.content(before.digest)
  return content === undefined
    ? refused('what it held is no longer kept')
    : { path, action: 'restore', current: now, content, mode: before.mode }
}

function contentOf(path: string): Buffer | undefined | 'no-file' {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return undefined
  return stat.isFile() ? readFileSync(path) : 'no-file'
}

/** Does it. A file is replaced whole or not at all. @throws EnsoError `disk` */
export function giveBack(step: FileStep): void {
  try {
    if (step.action === 'remove') rmSync(step.path)
    if (step.action === 'restore') replace(step.path, step.content, step.mode)
  } catch (cause) {
    throw new EnsoError('disk', `${step.path} can't be given back: ${(cause as Error).message}`, { cause })
  }
}

function replace(path: string, content: Buffer, mode: number): void {
  const temporary = join(dirname(path), `.enso-undo-${randomBytes(6).toString('hex')}`)
  mkdirSync(dirname(path), { recursive: true })
  try {
    writeFileSync(temporary, content, { flag: 'wx', mode })
    // The mode it had, whatever the mask says now.
    chmodSync(temporary, mode)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
