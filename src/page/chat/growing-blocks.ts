import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { createGrowingBlocks, type TextBlock } from '../model/markdown-blocks.js'
import { tokensOf } from './markdown-tokens.js'

/** Of the time, one part in so many goes into reading: a page that streams still has to answer. */
const READING_SHARE = 8

interface Reading {
  readonly blocks: readonly TextBlock[]
  readonly length: number
  readonly readAt: number
  /** What it took, in milliseconds. */
  readonly cost: number
}

/** The blocks of a text that grows, read as often as the page can bear. */
export function useGrowingBlocks(text: string, growing: boolean): readonly TextBlock[] {
  const reader = useMemo(() => createGrowingBlocks(), [])
  const last = useRef<Reading>({ blocks: [], length: -1, readAt: 0, cost: 0 })
  const [, setCount] = useState(0)
  const now = performance.now()
  const { readAt, cost, length } = last.current
  const isNew = growing && text.length !== length
  const wait = readAt + cost * READING_SHARE - now
  if (isNew && wait <= 0) {
    const blocks = reader.next(text)
    const tail = blocks.at(-1)
    // Most of the work is reading the words of the last block; what that took is what the next time will take.
    if (tail?.type === 'markdown') tokensOf(tail.raw)
    last.current = { blocks, length: text.length, readAt: performance.now(), cost: performance.now() - now }
  }
  useEffect(() => {
    if (!isNew || wait <= 0) return
    const timer = setTimeout(() => setCount((count) => count + 1), wait)
    return () => clearTimeout(timer)
  })
  return last.current.blocks
}
