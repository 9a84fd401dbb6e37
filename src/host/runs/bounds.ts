/** How long the parts of an ending may take, in milliseconds. */
export interface Bounds {
  /** What a tool or a hook may still take after a Stop. */
  readonly grace: number
  /** The whole of a Stop; longer than the grace. */
  readonly stop: number
  /** The extensions' shutdown handlers together. */
  readonly shutdown: number
}

export const DEFAULT_BOUNDS: Bounds = { grace: 3000, stop: 8000, shutdown: 2000 }
