/** Time as the thread layer sees it, so that a test can hold it. */
export interface ThreadClock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls back once after `ms` milliseconds; the returned function cancels. */
  after(ms: number, callback: () => void): () => void
}
