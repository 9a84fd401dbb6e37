import { accessSync, constants, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { EnsoError, type EnsoResultLine } from '../../core/index.js'

/** The file of `-o`. */
export interface AnswerFile {
  /** Replaces the file by a result's answer: checked JSON where there is some, else the reply's text. */
  write(result: EnsoResultLine): void
}

function contentOf({ text, structured }: EnsoResultLine): string {
  if (structured !== undefined) return `${JSON.stringify(structured, undefined, 2)}\n`
  return text.endsWith('\n') ? text : `${text}\n`
}

/** Where the bytes go: a link leads to its file; a device or a pipe is written to as it is. */
function targetOf(path: string): { readonly file: string; readonly mode: number | undefined; readonly plain: boolean } {
  const there = statSync(path, { throwIfNoEntry: false })
  if (there === undefined) return { file: path, mode: undefined, plain: true }
  return { file: realpathSync(path), mode: there.mode & 0o7777, plain: there.isFile() }
}

function replace(path: string, content: string): void {
  const { file, mode, plain } = targetOf(path)
  if (!plain) return writeFileSync(file, content)
  const temporary = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`)
  try {
    writeFileSync(temporary, content, { flag: 'wx', ...(mode === undefined ? {} : { mode }) })
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/**
 * Gets ready to write an answer; nothing is written yet. The file is replaced whole, so that nobody reads half of it.
 * @throws EnsoError `bad-input` where no file can be written
 */
export function prepareAnswerFile(path: string, shown: string): AnswerFile {
  if (shown === '-') {
    throw new EnsoError('bad-input', '-o takes a file: standard output has the answer anyway', {
      hint: 'a file of that name is ./-',
    })
  }
  const there = statSync(path, { throwIfNoEntry: false })
  try {
    if (there?.isDirectory() === true) throw new Error('it is a folder')
    accessSync(there === undefined || there.isFile() ? dirname(path) : path, constants.W_OK)
  } catch (cause) {
    throw new EnsoError('bad-input', `the answer can't be written to ${shown}`, { cause })
  }
  return {
    write(result) {
      try {
        replace(path, contentOf(result))
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause)
        throw new EnsoError('disk', `the answer could not be written to ${shown}: ${reason}`, { cause })
      }
    },
  }
}
