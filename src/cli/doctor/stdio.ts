import { fstatSync } from 'node:fs'
import { isatty } from 'node:tty'
import type { CliIo } from '../io.js'
import { type EnsoDoctorCheck, ok, warning } from './check.js'

/** What a descriptor leads to. */
export type StreamKind = 'terminal' | 'pipe' | 'file' | 'socket' | 'nothing' | 'device' | 'closed'

/** What the descriptor of this process leads to. */
export function streamKind(fd: number): StreamKind {
  try {
    const stat = fstatSync(fd)
    if (isatty(fd)) return 'terminal'
    if (stat.isFIFO()) return 'pipe'
    if (stat.isFile()) return 'file'
    if (stat.isSocket()) return 'socket'
    return stat.isCharacterDevice() && stat.rdev === NULL_DEVICE ? 'nothing' : 'device'
  } catch {
    return 'closed'
  }
}

/** /dev/null on Linux: major 1, minor 3. Elsewhere it counts as a device, which reads and writes the same. */
const NULL_DEVICE = 0x103

const NAMES: Readonly<Record<StreamKind, string>> = {
  terminal: 'a terminal',
  pipe: 'a pipe',
  file: 'a file',
  socket: 'a socket',
  nothing: 'nothing (/dev/null)',
  device: 'a device',
  closed: 'closed',
}

const OF_STDIN: Readonly<Record<StreamKind, string>> = {
  terminal: 'prompts are typed; read only for -, or without a prompt',
  pipe: 'read as context: the first byte is waited for 3 s; with --json it carries requests',
  socket: 'read as context: the first byte is waited for 3 s; with --json it carries requests',
  file: 'read as context',
  device: 'read as context',
  nothing: 'nothing is read; a prompt has to be an argument',
  closed: 'nothing is read; a prompt has to be an argument',
}

/** What the three streams are, and what that means for a run that is started like this. */
export function stdioChecks(io: CliIo, kindOf: (fd: number) => StreamKind = streamKind): EnsoDoctorCheck[] {
  const [input, output, errors] = [kindOf(0), kindOf(1), kindOf(2)]
  const reader =
    output === 'pipe' || output === 'socket' ? 'a reader that leaves stops the run' : 'the reply goes there'
  return [
    ok('stdin', `${NAMES[input]}: ${OF_STDIN[input]}`),
    output === 'closed'
      ? warning('stdout', 'closed: nothing that is said arrives', 'start enso with a standard output')
      : ok('stdout', `${NAMES[output]}: ${reader}`),
    ok(
      'stderr',
      `${NAMES[errors]}: ${io.terminal() === undefined ? 'progress goes there' : 'progress and questions go there'}`,
    ),
  ]
}
