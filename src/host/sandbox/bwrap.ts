import { inOrder, mountArguments, type Mount } from './mounts.js'

/** The file descriptor bubblewrap reads the system-call filter from. */
export const FILTER_FD = 3

/** Bounds inside: a single file of 8 GiB (in 1 KiB blocks) and 8192 processes. The call's time-out bounds the rest. */
const LIMITS = 'ulimit -f 8388608 2>/dev/null; ulimit -u 8192 2>/dev/null; '

/**
 * The arguments for one command: everything readable, nothing writable but the mounts say so, no network, no other
 * process in sight, `/run` empty, no capabilities, gone when enso is gone. The command is one argument to bash and is
 * never part of another shell's text.
 */
export function bwrapArguments(command: string, cwd: string, mounts: readonly Mount[]): string[] {
  return [
    '--die-with-parent',
    '--new-session',
    '--unshare-user-try',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-net',
    '--cap-drop',
    'ALL',
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    '--tmpfs',
    '/run',
    ...inOrder(mounts).flatMap(mountArguments),
    '--seccomp',
    String(FILTER_FD),
    '--chdir',
    cwd,
    '--',
    '/bin/bash',
    '-c',
    `${LIMITS}eval "$1"`,
    'bash',
    command,
  ]
}
