import type { ComponentChildren } from 'preact'

/** The buttons below a card; what cancels stands last. */
export function CardButtons({
  busy,
  onCancel,
  cancel = 'Cancel',
  children,
}: {
  readonly busy: boolean
  readonly onCancel: () => void
  readonly cancel?: string
  readonly children?: ComponentChildren
}) {
  return (
    <div class="buttons">
      {children}
      <button type="button" class="button is-quiet" aria-disabled={busy} onClick={onCancel}>
        {cancel}
      </button>
    </div>
  )
}
