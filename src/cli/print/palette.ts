import pico from 'picocolors'
import type { CliIo, CliOutput } from '../io.js'
import type { RunOptions } from '../run/run-options.js'

/** The few ways text is set apart; each returns its text unchanged where colour is off. */
export interface Palette {
  readonly enabled: boolean
  dim(text: string): string
  bold(text: string): string
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
  cyan(text: string): string
}

/**
 * Is one stream coloured? Asked per stream: a file beside a terminal gets none.
 *
 * The flag decides; then NO_COLOR (any value), FORCE_COLOR (`0` and `false` mean no), CLICOLOR_FORCE, TERM=dumb, and
 * last whether the stream is a terminal.
 */
export function isColoured(stream: CliOutput, env: CliIo['env'], color: RunOptions['color']): boolean {
  if (color !== 'auto') return color === 'always'
  if (env['NO_COLOR']) return false
  const force = env['FORCE_COLOR']
  if (force !== undefined) return force !== '0' && force !== 'false'
  if (env['CLICOLOR_FORCE'] !== undefined && env['CLICOLOR_FORCE'] !== '0') return true
  return env['TERM'] !== 'dumb' && stream.isTTY === true
}

/** The palette of one stream. */
export function createPalette(stream: CliOutput, env: CliIo['env'], color: RunOptions['color']): Palette {
  const enabled = isColoured(stream, env, color)
  const { dim, bold, red, green, yellow, cyan } = pico.createColors(enabled)
  return { enabled, dim, bold, red, green, yellow, cyan }
}
