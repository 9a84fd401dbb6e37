import type { Invocation } from '../commands/command.js'
import { createPalette, type Palette } from '../print/palette.js'
import { usableWidth } from '../print/layout.js'
import type { RunOptions } from '../run/run-options.js'

/** One thing `enso threads` does. */
export interface ThreadsSubcommand {
  /** What its words are, for a person who got them wrong. */
  readonly takes: string
  readonly words: readonly [least: number, most: number]
  /** The flags that mean something here. */
  readonly flags: readonly string[]
  run(invocation: Invocation, words: readonly string[]): Promise<number>
}

/** How standard output is written to. */
export function outputStyle({ io, line }: Invocation): { readonly width: number; readonly palette: Palette } {
  const color = (line.value('color') ?? 'auto') as RunOptions['color']
  return { width: usableWidth(io.stdout), palette: createPalette(io.stdout, io.env, color) }
}
