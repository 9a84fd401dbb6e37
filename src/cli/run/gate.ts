/** A promise that is resolved from outside, once. */
export interface Gate {
  readonly opened: Promise<void>
  open(): void
}

export function createGate(): Gate {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}
