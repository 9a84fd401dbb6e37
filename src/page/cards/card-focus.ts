import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { focusComposer } from '../state/focus.js'

/** Somebody answers by keys: the next question finds them where they are. */
let isByKeys = false

/** What the section around the cards listens to. */
export const answeringWatch = {
  onKeyDown: (): void => void (isByKeys = true),
  onPointerDown: (): void => void (isByKeys = false),
}

/**
 * A card that comes takes the focus from nobody who is writing. Where nothing is written, a field takes what is typed
 * next: a secret must not become a prompt. Who answered by keys goes on by keys.
 */
export function useFocusTaken(card: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const field = card.current?.querySelector<HTMLElement>('input.field, textarea.field')
    if (!isFree() || !matchMedia('(pointer: fine)').matches) return
    if (field !== null && field !== undefined) field.focus()
    else if (isByKeys) card.current?.focus()
  }, [])
}

/** A card that leaves with the focus in it leaves it to another card or to the composer, not to nothing. */
export function useFocusKept(ids: string): RefObject<HTMLElement | null> {
  const cards = useRef<HTMLElement>(null)
  const wasInCards = useRef(false)
  useEffect(() => {
    const follow = ({ target }: FocusEvent): void => {
      wasInCards.current = target instanceof Element && target.closest('.cards') !== null
    }
    addEventListener('focusin', follow)
    return () => removeEventListener('focusin', follow)
  }, [])
  useEffect(() => {
    if (!wasInCards.current || !isNowhere()) return
    const next = isByKeys ? cards.current?.querySelector<HTMLElement>('.card') : undefined
    if (next === null || next === undefined) focusComposer()
    else next.focus()
  }, [ids])
  return cards
}

function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}

/** The focus is nowhere, or in a composer in which nothing is written. */
function isFree(): boolean {
  const at = document.activeElement
  return isNowhere() || (at instanceof HTMLTextAreaElement && at.id === 'composer-text' && at.value === '')
}
