import type { CliClock } from '../io.js'
import type { Activity } from './activity.js'
import { fit } from './layout.js'
import type { Palette } from './palette.js'
import type { PrintOutput } from './print-output.js'

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const REDRAW_MS = 120

/** What the line is drawn with. */
export interface LiveLineOptions {
  readonly output: Pick<PrintOutput, 'live'>
  readonly clock: CliClock
  readonly activity: Activity
  readonly palette: Palette
  readonly width: () => number
}

/** The line at the bottom of a terminal that says what the run does, drawn anew while it runs. */
export interface LiveLine {
  start(): void
  stop(): void
}

/** A line that is drawn only between `start` and `stop`. */
export function createLiveLine({ output, clock, activity, palette, width }: LiveLineOptions): LiveLine {
  let cancel: (() => void) | undefined
  let frame = 0

  const draw = (): void => {
    const sign = FRAMES[frame++ % FRAMES.length] ?? ''
    output.live(palette.dim(fit(`${sign} ${activity.line()}`, width())))
    cancel = clock.after(REDRAW_MS, draw)
  }
  return {
    start() {
      cancel ??= clock.after(REDRAW_MS, draw)
    },
    stop() {
      cancel?.()
      cancel = undefined
      output.live(undefined)
    },
  }
}
