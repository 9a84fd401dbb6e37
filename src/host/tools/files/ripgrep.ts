import { execFile } from 'node:child_process'

/** The program, as it is found on the path. */
export const RIPGREP = 'rg'

/**
 * How it is to write what it finds: in a form of our own choosing, whatever its configuration says, with the beginning of
 * a line that is longer than a result shows.
 */
export const RIPGREP_OUTPUT: readonly string[] = [
  '--no-config',
  '--null',
  '--max-columns=4096',
  '--max-columns-preview',
]

/** How long a program may take to say what it is, in milliseconds. */
const BOUND_MS = 5000

/**
 * Is there a ripgrep on the path that can do what is asked of it? Found out by running it: one that is there may be too
 * old, or not for this machine. Nothing is downloaded.
 */
export function hasRipgrep(path: string | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { env: { PATH: path ?? '' }, timeout: BOUND_MS }
    execFile(RIPGREP, [...RIPGREP_OUTPUT, '--version'], options, (error) => resolve(error === null))
  })
}
