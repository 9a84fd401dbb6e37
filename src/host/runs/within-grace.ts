/**
 * `work`, or an error when it is still not done `graceMs` after `signal` was aborted. The work itself can't be ended
 * from here: its outcome is ignored from then on.
 */
export async function withinGrace<T>(
  work: Promise<T> | T,
  signal: AbortSignal | undefined,
  graceMs: number,
  what: string,
): Promise<T> {
  if (!signal) return work
  let timer: NodeJS.Timeout | undefined
  let startCounting = (): void => undefined
  const late = new Promise<never>((_resolve, reject) => {
    startCounting = () => {
      timer = setTimeout(() => reject(new Error(`${what} did not stop when it was told to`)), graceMs)
    }
  })
  if (signal.aborted) startCounting()
  else signal.addEventListener('abort', startCounting, { once: true })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', startCounting)
  }
}

/** Resolves after `ms`, or true as soon as `work` is done either way. */
export async function doneWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const done = work.then(
    () => true,
    () => true,
  )
  try {
    return await Promise.race([done, late])
  } finally {
    clearTimeout(timer)
  }
}
