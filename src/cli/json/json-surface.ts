import { jsonLine } from '../../core/index.js'
import type { CliOutput } from '../io.js'
import { sanitize } from '../print/sanitize.js'
import type { RunSurface } from '../run/run-surface.js'

/** What both JSON surfaces speak through. */
export interface JsonSurfaceOptions {
  readonly stdout: CliOutput
  readonly stderr: CliOutput
  /** Notes only where something is wrong are shown by the caller; with `quiet` the rest is not. */
  readonly quiet: boolean
}

/** The JSON-lines surface; request lines wait while its reader is behind, so that replies don't pile up. */
export interface JsonSurface extends RunSurface {
  isBehind(): boolean
}

interface LineWriter {
  write(line: string): boolean
  /** Resolves when everything written has reached the reader, or can't any more. */
  flushed(): Promise<void>
  isBehind(): boolean
  onReady(callback: () => void): void
  onClosed(callback: () => void): void
}

function createLineWriter(stdout: CliOutput): LineWriter {
  const ready: (() => void)[] = []
  const closed: (() => void)[] = []
  let behind = false
  let gone = stdout.destroyed
  const caughtUp = (): void => {
    behind = false
    for (const callback of ready.splice(0)) callback()
  }
  const lost = (): void => {
    if (gone) return
    gone = true
    for (const callback of closed) callback()
    caughtUp()
  }
  stdout.on('drain', caughtUp)
  stdout.on('error', lost)
  stdout.on('close', lost)
  return {
    write(line) {
      if (gone) return true
      if (!stdout.write(`${line}\n`)) behind = true
      return !behind
    },
    flushed: () =>
      new Promise((resolve) => {
        if (gone) return resolve()
        closed.push(resolve)
        stdout.write('', () => resolve())
      }),
    isBehind: () => behind,
    onReady(callback) {
      if (behind && !gone) ready.push(callback)
      else callback()
    },
    onClosed(callback) {
      if (gone) callback()
      else closed.push(callback)
    },
  }
}

const noteTo = (stderr: CliOutput, text: string): void => void stderr.write(`enso: ${sanitize(text)}\n`)

/** JSON lines on standard output, nothing else; one frame is one line, its JSON made once for all followers. */
export function createJsonSurface({ stdout, stderr, quiet }: JsonSurfaceOptions): JsonSurface {
  const lines = createLineWriter(stdout)
  return {
    hello: (line) => void lines.write(jsonLine(line)),
    frame: (_frame, line) => lines.write(line()),
    onReady: lines.onReady,
    reply: (line) => void lines.write(jsonLine(line)),
    note: (text) => {
      if (!quiet) noteTo(stderr, text)
    },
    result(line) {
      lines.write(jsonLine(line))
      return lines.flushed()
    },
    onClosed: lines.onClosed,
    isBehind: lines.isBehind,
  }
}

/** One JSON object at the end, and nothing before it. */
export function createJsonResultSurface({ stdout, stderr, quiet }: JsonSurfaceOptions): RunSurface {
  const lines = createLineWriter(stdout)
  return {
    hello: () => undefined,
    frame: () => true,
    onReady: (callback) => callback(),
    reply: () => undefined,
    note: (text) => {
      if (!quiet) noteTo(stderr, text)
    },
    result(line) {
      lines.write(jsonLine(line))
      return lines.flushed()
    },
    onClosed: lines.onClosed,
  }
}
