import { useEffect, useState } from 'preact/hooks'
import type { Answer } from '../api/http.js'

/** What was asked for, as far as it has come. What is shown stays while it is asked for again. */
export interface Asked<T> {
  readonly value: T | undefined
  readonly problem: string | undefined
  again(): void
}

/** Asks when it is first shown and whenever one of `because` changes. */
export function useAnswer<T>(call: () => Promise<Answer<T>>, because: readonly unknown[]): Asked<T> {
  const [answer, setAnswer] = useState<Answer<T> | undefined>()
  const [count, setCount] = useState(0)
  useEffect(() => {
    let isOver = false
    void call().then((given) => {
      if (!isOver) setAnswer(given)
    })
    return () => {
      isOver = true
    }
  }, [count, ...because])
  return {
    value: answer?.ok === true ? answer.value : undefined,
    problem: answer?.ok === false ? answer.reason : undefined,
    again: () => setCount(count + 1),
  }
}
