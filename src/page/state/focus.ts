/** Puts the focus where the next word is typed. */
export function focusComposer(): void {
  document.querySelector<HTMLElement>('#composer-text')?.focus()
}
