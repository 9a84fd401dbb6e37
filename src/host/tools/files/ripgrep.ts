import { execFile } from 'node:child_process'

const PROGRAM = 'rg'

/** How long a program may take to say what it is, in milliseconds. */
const BOUND_MS = 5000

/**
 * Is there a ripgrep on the path that can do what the agent library asks of it? Found out by running it: one that is
 * there may be too old, or not for this machine. Nothing is downloaded.
 */
export function hasRipgrep(path: string | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(PROGRAM, ['--json', '--hidden', '--version'], { env: { PATH: path ?? '' }, timeout: BOUND_MS }, (error) =>
      resolve(error === null),
    )
  })
}
