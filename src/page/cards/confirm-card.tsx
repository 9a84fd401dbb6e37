import { plain } from '../model/plain.js'
import { ShownText } from '../ui/shown-text.js'
import { CardButtons } from './card-buttons.js'
import type { CardProps } from './card-props.js'

/** Yes or no. */
export function ConfirmCard({ dialog, busy, answer }: CardProps<'confirm'>) {
  return (
    <>
      <ShownText text={plain(dialog.message)} lines={40}>
        {(text) => <p class="plain-text">{text}</p>}
      </ShownText>
      <CardButtons busy={busy} onCancel={() => answer({ cancelled: true })}>
        <button type="button" class="button is-main" aria-disabled={busy} onClick={() => answer({ confirmed: true })}>
          Yes
        </button>
        <button type="button" class="button" aria-disabled={busy} onClick={() => answer({ confirmed: false })}>
          No
        </button>
      </CardButtons>
    </>
  )
}
