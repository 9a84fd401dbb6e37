import { spawn, type SpawnOptions } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { EnsoError } from '../../core/index.js'
import { PRIVATE_FILE_MODE } from '../../system/private-files.js'
import { reapRun, RUN_MARK, runMark } from '../../system/reap.js'
import type { CliIo, CliTerminal } from '../io.js'
import { OWNS_TERMINAL } from '../run/child-stdio.js'
import type { TextEditor } from './ask-context.js'

/** How long an editor that is closed may take to end by itself, in milliseconds. */
const CLOSE_MS = 500

/** How an editor is started: the person's own words, a file, and the terminal it draws on. */
export type RunEditor = (command: string, file: string, closed: AbortSignal) => Promise<boolean>

/** Runs the command by the shell, as other programs do with these variables: it may carry arguments. */
function onTerminal(terminal: CliTerminal): RunEditor {
  return (command, file, closed) =>
    new Promise((resolve, reject) => {
      const { fd: input = 0 } = terminal.input
      const { fd: output = 2 } = terminal.output
      const editing = randomUUID().replaceAll('-', '')
      const child = spawn('/bin/sh', ['-c', `${command} "$@"`, command, file], {
        stdio: [input, output, output],
        env: { ...process.env, [RUN_MARK]: runMark(process.env[RUN_MARK], editing) },
        [OWNS_TERMINAL]: true,
      } as SpawnOptions)
      // The shell alone would leave what it started on the terminal.
      const end = (): void =>
        void reapRun(
          { runId: editing, root: undefined, children: child.pid === undefined ? [] : [child.pid] },
          CLOSE_MS,
        )
      closed.addEventListener('abort', end)
      child.on('error', reject)
      child.on('close', (code) => {
        closed.removeEventListener('abort', end)
        resolve(code === 0)
      })
      if (closed.aborted) end()
    })
}

/** The editor named by VISUAL or EDITOR, over a private file that is gone afterwards; `undefined` when none is named. */
export function textEditor(
  env: CliIo['env'],
  terminal: CliTerminal,
  tmpDir: string,
  run: RunEditor = onTerminal(terminal),
): TextEditor | undefined {
  const command = env['VISUAL'] || env['EDITOR']
  if (!command) return undefined
  return {
    name: basename(command.trim().split(/\s/)[0] ?? command),
    async edit(prefill, closed) {
      const folder = mkdtempSync(join(tmpDir, 'enso-edit-'))
      const file = join(folder, 'answer.md')
      try {
        writeFileSync(file, prefill, { mode: PRIVATE_FILE_MODE, flag: 'wx' })
        if (!(await run(command, file, closed))) return undefined
        const text = readFileSync(file, 'utf8')
        // Editors end a file with a line feed that nobody typed.
        return prefill.endsWith('\n') ? text : text.replace(/\r?\n$/, '')
      } catch (error) {
        throw new EnsoError('disk', `the editor '${command}' could not be used`, { cause: error })
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  }
}
