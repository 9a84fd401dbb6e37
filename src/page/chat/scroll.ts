import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Nearer to the end than this is at the end, in pixels. */
const AT_END = 60

/** Nearer to the beginning than this, earlier rows come, in pixels. */
const AT_BEGINNING = 300

/** Rows in the page at first, and how many more each time somebody comes to the first of them. */
const WINDOW = 40

/** A list that stays at its end while somebody looks there, and holds only its last rows until they go up. */
export interface Scrolling {
  readonly box: { current: HTMLDivElement | null }
  readonly content: { current: HTMLDivElement | null }
  /** The first row that is in the page. */
  readonly first: number
  readonly isAtEnd: boolean
  toEnd(): void
  onScroll(): void
  /** Somebody opened something: what they look at stays where it is. */
  hold(): void
}

/** Scrolling over `count` rows; `name` tells one list from the next. */
export function useScrolling(count: number, name: string): Scrolling {
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const stuck = useRef(true)
  const fromEnd = useRef<number | undefined>(undefined)
  const rows = useRef({ name, first: 0 })
  const [isAtEnd, setAtEnd] = useState(true)
  const [, redraw] = useState(0)

  if (rows.current.name !== name) {
    rows.current = { name, first: 0 }
    stuck.current = true
  }
  // While somebody is at the end, rows leave at the top as others come: a thread of a day is no heavier than one of a
  // minute.
  const { first } = rows.current
  if ((stuck.current && count - first > 2 * WINDOW) || first > count) rows.current.first = Math.max(0, count - WINDOW)

  function toEnd(): void {
    stuck.current = true
    setAtEnd(true)
    if (box.current !== null) box.current.scrollTop = box.current.scrollHeight
  }

  useLayoutEffect(toEnd, [name])
  useLayoutEffect(() => {
    if (box.current === null || fromEnd.current === undefined) return
    box.current.scrollTop = box.current.scrollHeight - fromEnd.current
    fromEnd.current = undefined
  })
  useEffect(() => {
    const [outer, inner] = [box.current, content.current]
    if (outer === null || inner === null) return
    const observer = new ResizeObserver(() => {
      if (stuck.current) outer.scrollTop = outer.scrollHeight
    })
    observer.observe(inner)
    observer.observe(outer)
    return () => observer.disconnect()
  }, [name])

  function onScroll(): void {
    const outer = box.current
    if (outer === null) return
    stuck.current = outer.scrollHeight - outer.scrollTop - outer.clientHeight < AT_END
    if (stuck.current !== isAtEnd) setAtEnd(stuck.current)
    if (stuck.current || outer.scrollTop >= AT_BEGINNING || rows.current.first === 0) return
    fromEnd.current = outer.scrollHeight - outer.scrollTop
    rows.current.first = Math.max(0, rows.current.first - WINDOW)
    redraw((count) => count + 1)
  }

  return {
    box,
    content,
    first: rows.current.first,
    isAtEnd,
    toEnd,
    onScroll,
    hold: () => {
      stuck.current = false
    },
  }
}
