import { useEffect, useState } from 'preact/hooks'

/** A list that is moved through by keys while the focus stays in a field or on the list. */
export interface Listbox {
  readonly active: number
  setActive(index: number): void
  /** True when the key was for the list. */
  onKey(event: KeyboardEvent): boolean
}

/** Keys for a list of `count` rows; begins at `start` and again whenever `version` changes. */
export function useListbox(
  count: number,
  start: number,
  version: unknown,
  onPick: (index: number) => void,
  onClose: () => void,
): Listbox {
  const [active, setActive] = useState(start)
  useEffect(() => setActive(start), [version])
  const step = (by: number): void => setActive((at) => (count === 0 ? 0 : (at + by + count) % count))

  function onKey(event: KeyboardEvent): boolean {
    if (event.isComposing) return false
    const act = actOf(event)
    if (act === undefined) return false
    event.preventDefault()
    event.stopPropagation()
    act()
    return true
  }

  function actOf({ key, shiftKey }: KeyboardEvent): (() => void) | undefined {
    if (key === 'Escape') return onClose
    if (count === 0) return undefined
    if (key === 'ArrowDown') return () => step(1)
    if (key === 'ArrowUp') return () => step(-1)
    if (key === 'PageDown' || key === 'PageUp')
      return () => setActive((at) => Math.max(0, Math.min(count - 1, at + (key === 'PageDown' ? 8 : -8))))
    if (key === 'Enter' && !shiftKey) return () => onPick(Math.min(active, count - 1))
    return undefined
  }

  return { active: Math.min(active, Math.max(0, count - 1)), setActive, onKey }
}

/** Keeps the active row in sight. */
export function useInSight(list: { readonly current: HTMLElement | null }, active: number): void {
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
}
