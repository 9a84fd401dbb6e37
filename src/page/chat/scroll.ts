import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { createEndLock } from '../model/end-lock.js'

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
  const end = useMemo(createEndLock, [name])
  const fromEnd = useRef<number | undefined>(undefined)
  const rows = useRef({ name, first: 0 })
  const [isAtEnd, setAtEnd] = useState(true)
  const [, redraw] = useState(0)

  if (rows.current.name !== name) rows.current = { name, first: 0 }
  // While somebody is at the end, rows leave at the top as others come: a thread of a day is no heavier than one of a
  // minute.
  const { first } = rows.current
  if ((end.isHeld && count - first > 2 * WINDOW) || first > count) rows.current.first = Math.max(0, count - WINDOW)

  function toEnd(): void {
    setAtEnd(true)
    if (box.current !== null) end.toEnd(box.current)
  }

  useLayoutEffect(toEnd, [name])
  useLayoutEffect(() => {
    if (box.current === null || fromEnd.current === undefined) return
    end.moveTo(box.current, box.current.scrollHeight - fromEnd.current)
    fromEnd.current = undefined
  })
  useEffect(() => {
    const [outer, inner] = [box.current, content.current]
    if (outer === null || inner === null) return
    const observer = new ResizeObserver(() => setAtEnd(end.resized(outer)))
    observer.observe(inner)
    observer.observe(outer)
    return () => observer.disconnect()
  }, [name])

  function onScroll(): void {
    const outer = box.current
    if (outer === null) return
    setAtEnd(end.scrolled(outer))
    if (end.isHeld || outer.scrollTop >= AT_BEGINNING || rows.current.first === 0) return
    fromEnd.current = outer.scrollHeight - outer.scrollTop
    rows.current.first = Math.max(0, rows.current.first - WINDOW)
    redraw((drawn) => drawn + 1)
  }

  return { box, content, first: rows.current.first, isAtEnd, toEnd, onScroll, hold: end.release }
}
