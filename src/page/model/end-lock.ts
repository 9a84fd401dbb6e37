/** Who comes nearer to the end than this is at the end, in pixels. */
const AT_END = 60

/** Who goes up by more than this leaves the end, in pixels: what streams in must not pull them back. */
const LEFT_END = 4

/** What scrolls. */
export interface Scrolled {
  scrollTop: number
  readonly scrollHeight: number
  readonly clientHeight: number
}

/** Whether a list is held at its end. What comes, and what takes its room, pushes the end away: only a person leaves it. */
export interface EndLock {
  readonly isHeld: boolean
  /** Holds it at the end again. */
  toEnd(box: Scrolled): void
  /** Goes somewhere without anybody's doing. */
  moveTo(box: Scrolled, top: number): void
  /** It scrolled, by whomever. @returns whether it is at its end */
  scrolled(box: Scrolled): boolean
  /** Its size or that of its content changed. @returns whether it is at its end */
  resized(box: Scrolled): boolean
  /** What somebody looks at stays where it is. */
  release(): void
}

/** A list that begins at its end. */
export function createEndLock(): EndLock {
  let isHeld = true
  let lastTop = 0
  let lastHeight = 0

  function moveTo(box: Scrolled, top: number): void {
    box.scrollTop = top
    // As far as it went: its own move is no move of a person's.
    lastTop = box.scrollTop
    lastHeight = box.scrollHeight
  }

  function toEnd(box: Scrolled): void {
    isHeld = true
    moveTo(box, box.scrollHeight)
  }

  return {
    get isHeld() {
      return isHeld
    },
    toEnd,
    moveTo,
    scrolled: (box) => {
      // What shrank and grew at once takes the place up with it, a little, and is nobody's doing.
      const wentUp = box.scrollTop < lastTop - (box.scrollHeight === lastHeight ? 0 : AT_END)
      lastTop = box.scrollTop
      lastHeight = box.scrollHeight
      isHeld = wentUp ? fromEnd(box) < LEFT_END : isHeld || fromEnd(box) < AT_END
      return isHeld || fromEnd(box) < AT_END
    },
    resized: (box) => {
      if (isHeld) toEnd(box)
      return isHeld || fromEnd(box) < AT_END
    },
    release: () => {
      isHeld = false
    },
  }
}

function fromEnd({ scrollHeight, scrollTop, clientHeight }: Scrolled): number {
  return scrollHeight - scrollTop - clientHeight
}
