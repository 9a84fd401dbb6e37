import type { Ref } from 'preact'
import { Icon, type IconName } from './icon.js'

interface IconButtonProps {
  readonly icon: IconName
  readonly label: string
  readonly onClick: () => void
  readonly class?: string
  readonly pressed?: boolean
  readonly disabled?: boolean
  readonly buttonRef?: Ref<HTMLButtonElement>
}

/** A button that is only a drawing; its label is said and shown on hover. */
export function IconButton({ icon, label, onClick, pressed, disabled, buttonRef, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      class={`icon-button ${rest.class ?? ''}`}
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={onClick}
      ref={buttonRef ?? null}
    >
      <Icon name={icon} />
    </button>
  )
}
