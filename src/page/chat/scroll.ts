import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Nearer to the end than this is at the end, in pixels. */
const AT_END = 60

/** Rows in the page at first, and how many more each time somebody comes to the first of them. */
export const WINDOW = 40

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
  const [isAtEnd, setAtEnd] = useState(true)
  const [first, setFirst] = useState(Math.max(0, count - WINDOW))

  const toEnd = (): void => {
    stuck.current = true
    setAtEnd(true)
    setFirst(Math.max(0, count - WINDOW))
    if (box.current !== null) box.current.scrollTop = box.current.scrollHeight
  }

  useLayoutEffect(toEnd, [name])
  // While somebody is at the end, rows leave at the top as others come: a thread of a day is no heavier than one of a minute.
  useLayoutEffect(() => {
    if (stuck.current && count - first > 2 * WINDOW) setFirst(count - WINDOW)
    if (first > count) setFirst(Math.max(0, count - WINDOW))
  }, [count, first])
  useLayoutEffect(() => {
    if (box.current === null || fromEnd.current === undefined) return
    box.current.scrollTop = box.current.scrollHeight - fromEnd.current
    fromEnd.current = undefined
  }, [first])
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
    const left = outer.scrollHeight - outer.scrollTop - outer.clientHeight
    stuck.current = left < AT_END
    if (stuck.current !== isAtEnd) setAtEnd(stuck.current)
    if (outer.scrollTop < 200 && first > 0 && fromEnd.current === undefined) {
      fromEnd.current = outer.scrollHeight - outer.scrollTop
      setFirst(Math.max(0, first - WINDOW))
    }
  }

  return {
    box,
    content,
    first: Math.min(first, Math.max(0, count - 1)),
    isAtEnd,
    toEnd,
    onScroll,
    hold: () => {
      stuck.current = false
    },
  }
}
