// Loading it takes a start longer than all of this file.
const setFlagsFromString = (flags: string): void => process.getBuiltinModule('node:v8').setFlagsFromString(flags)

/** Shared by the program and by what loads it, which are bundled apart. */
const HELD = Symbol.for('enso.young-generation-held')
const shared = globalThis as { [HELD]?: boolean }

/** V8's own: the young generation doubles when enough of what was made has lasted. */
const GROWING = '--semi-space-growth-factor=2'
const HELD_AS_IT_IS = '--semi-space-growth-factor=1'

/** The V8 that this was measured and tried on: Node 20's. Elsewhere nothing is done. */
const KNOWN = process.versions.v8.startsWith('11.3.')

/**
 * Keeps V8's young generation at the size it has. A stream makes garbage of which hardly anything lasts, but over a
 * hundred thousand pieces enough does for it to grow to 48 MB, and no faster.
 */
export function holdYoungGeneration(): void {
  if (!KNOWN || shared[HELD] === true) return
  shared[HELD] = true
  setFlagsFromString(HELD_AS_IT_IS)
}

/** Runs `work` with V8's flags as they were at the start: what it has compiled is good for the same flags only. */
export function withFirstFlags<T>(work: () => T): T {
  if (shared[HELD] !== true) return work()
  setFlagsFromString(GROWING)
  try {
    return work()
  } finally {
    setFlagsFromString(HELD_AS_IT_IS)
  }
}
