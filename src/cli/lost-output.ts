import type { CliIo } from './io.js'
import { ENSO_ABORT_EXIT_CODES, ENSO_EXIT_CODES } from '../core/exit-codes.js'

/** What became of a standard output that takes nothing more: its reader left, or it failed with a code of the system. */
export type LostOutput = { readonly kind: 'reader-left' } | { readonly kind: 'failed'; readonly code: string }

/** Nothing while everything that was said got out. */
export function lostOutput({ stdout }: Pick<CliIo, 'stdout'>): LostOutput | undefined {
  const error = stdout.errored as NodeJS.ErrnoException | null | undefined
  if (!error) return undefined
  const { code } = error
  return code === 'EPIPE' || code === 'ECONNRESET' || code === undefined
    ? { kind: 'reader-left' }
    : { kind: 'failed', code }
}

/** A standard output that can't be written, in one sentence. */
export function lostOutputReason(code: string): string {
  return `standard output can't be written: ${code}`
}

/**
 * The exit code of a process whose command has answered `exitCode`, once all it said is out or lost: words that reached
 * nobody are no success. A reader that left is quiet; what else went wrong is said here, for every command alike.
 */
export function exitCodeOfOutput(io: Pick<CliIo, 'stdout' | 'stderr'>, exitCode: number): number {
  const lost = lostOutput(io)
  if (lost === undefined) return exitCode
  if (lost.kind === 'failed') io.stderr.write(`enso: ${lostOutputReason(lost.code)}\n`)
  if (exitCode !== ENSO_EXIT_CODES.done) return exitCode
  return lost.kind === 'failed' ? ENSO_EXIT_CODES.error : ENSO_ABORT_EXIT_CODES['stdout-closed']
}
