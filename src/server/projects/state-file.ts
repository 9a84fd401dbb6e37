import { readFileSync } from 'node:fs'
import { EnsoError, EnsoProjectsState, lazyValidator, readClosedFile } from '../../core/index.js'
import { writePrivateFile } from '../../system/private-files.js'

const validator = lazyValidator(EnsoProjectsState)

/** Where the registered projects are kept. */
export interface ProjectsFile {
  /** @throws EnsoError `bad-config` when the file is there and can't be understood */
  read(): EnsoProjectsState
  /** Replaces the file in one step. @throws EnsoError `disk` */
  write(state: EnsoProjectsState): void
}

/** The file at a path; one that isn't there holds no projects. It is read anew each time: another server may write it. */
export function createProjectsFile(path: string): ProjectsFile {
  return {
    read: () => {
      let text: string
      try {
        text = readFileSync(path, 'utf8')
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === 'ENOENT') return { projects: [] }
        throw new EnsoError('bad-config', `the list of projects can't be read (${code ?? 'unknown'})`, { cause: error })
      }
      const reading = readClosedFile(text, EnsoProjectsState, validator)
      if (reading.ok) return reading.value
      throw new EnsoError('bad-config', `the list of projects can't be understood: ${reading.reason}`, {
        hint: `correct ${path}, or move it away`,
      })
    },
    write: (state) => {
      try {
        writePrivateFile(path, `${JSON.stringify(state, null, 2)}\n`)
      } catch (error) {
        throw new EnsoError('disk', `the list of projects can't be written: ${(error as Error).message}`, {
          cause: error,
        })
      }
    },
  }
}
