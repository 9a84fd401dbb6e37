import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

type Stdio = childProcess.StdioOptions | undefined

/** Marks the options of a child that may have the terminal: an editor the person asked for. */
export const OWNS_TERMINAL = Symbol('enso: this child may have standard input and output')

/** Where a child may write instead: standard input becomes empty, standard output becomes standard error. */
function redirected(entry: unknown, index: number): unknown {
  const fd = typeof entry === 'number' ? entry : ((entry as { fd?: unknown } | null | undefined)?.fd ?? undefined)
  const meant = entry === 'inherit' ? index : fd
  if (meant === 0) return 'ignore'
  if (meant === 1) return process.stderr.fd
  return entry
}

/** The same stdio without our descriptors 0 and 1. `missing` is what a child gets that names none. */
export function withoutOurStdio(stdio: Stdio, missing: Stdio): Stdio {
  const given = stdio ?? missing
  if (given === undefined || given === 'pipe' || given === 'ignore' || given === 'overlapped') return stdio
  const list: unknown[] = given === 'inherit' ? ['inherit', 'inherit', 'inherit'] : [...(given as unknown[])]
  return list.map(redirected) as childProcess.StdioOptions
}

interface ChildOptions {
  readonly stdio?: Stdio
  readonly silent?: boolean
  readonly [OWNS_TERMINAL]?: true
}

/** The options of a call: the last argument that is an options object, wherever the overload puts it. */
function optionsAt(args: readonly unknown[]): number {
  for (let index = 1; index < Math.min(args.length, 3); index++) {
    const argument = args[index]
    if (typeof argument === 'object' && argument !== null && !Array.isArray(argument)) return index
  }
  return -1
}

function adjust(args: unknown[], missing: (options: ChildOptions) => Stdio): unknown[] {
  const at = optionsAt(args)
  const options = (at < 0 ? {} : args[at]) as ChildOptions
  if (options[OWNS_TERMINAL]) return args
  const stdio = withoutOurStdio(
    options.stdio === 'inherit' ? (missing(options) ?? 'inherit') : options.stdio,
    missing(options),
  )
  if (stdio === options.stdio) return args
  const replaced = { ...options, stdio }
  if (at >= 0) return args.with(at, replaced)
  // No options yet: they follow the file and, where there is one, the list of arguments.
  const place = Array.isArray(args[1]) ? 2 : 1
  return [...args.slice(0, place), replaced, ...args.slice(place)]
}

/** What the guard of child processes knows and undoes. */
export interface ChildGuard {
  /** Children that run, or that left a process group behind. */
  children(): Iterable<number>
  undo(): void
}

/**
 * Keeps standard input and standard output from every child process, whoever starts it: a child that would read our
 * requests reads nothing, and one that would write among our lines writes to standard error.
 *
 * `started` is told of each child at once, before its starter is.
 */
export function guardChildStdio(started: () => void): ChildGuard {
  const original = { ...childProcess }
  const children = new Set<number>()
  const note = (child: childProcess.ChildProcess): childProcess.ChildProcess => {
    const pid = child.pid
    if (pid === undefined) return child
    children.add(pid)
    child.once('exit', () => {
      if (!leadsGroup(pid)) children.delete(pid)
    })
    started()
    return child
  }
  type Call = (...args: unknown[]) => unknown
  const forked = (options: ChildOptions): Stdio =>
    options.silent && options.stdio === undefined ? undefined : ['inherit', 'inherit', 'inherit', 'ipc']
  const none = (): Stdio => undefined
  const spawned =
    (call: Call, missing: (options: ChildOptions) => Stdio): Call =>
    (...args) =>
      note(call(...adjust(args, missing)) as childProcess.ChildProcess)
  const waited =
    (call: Call): Call =>
    (...args) => {
      started()
      return call(...adjust(args, none))
    }
  // exec and execFile always give their child pipes.
  Object.assign(childProcess, {
    spawn: spawned(original.spawn as Call, none),
    fork: spawned(original.fork as Call, forked),
    spawnSync: waited(original.spawnSync as Call),
    execSync: waited(original.execSync as Call),
    execFileSync: waited(original.execFileSync as Call),
  })
  syncBuiltinESMExports()
  return {
    children: () => children,
    undo() {
      Object.assign(childProcess, original)
      syncBuiltinESMExports()
    },
  }
}

/** A group outlives its leader; while it does, the leader's pid is given to nobody else. */
function leadsGroup(pid: number): boolean {
  try {
    process.kill(-pid, 0)
    return true
  } catch {
    return false
  }
}
