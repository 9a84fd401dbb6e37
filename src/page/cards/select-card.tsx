import { plain } from '../model/plain.js'
import { ShownText } from '../ui/shown-text.js'
import { CardButtons } from './card-buttons.js'
import type { CardProps } from './card-props.js'
import { Detail } from './detail.js'

/** One of several. What is decided about stands above, as it is. */
export function SelectCard({ dialog, busy, answer }: CardProps<'select'>) {
  return (
    <>
      {dialog.message !== undefined && (
        <ShownText text={plain(dialog.message)} lines={40}>
          {(text) => <Detail text={text} />}
        </ShownText>
      )}
      <div class={dialog.options.length > 4 ? 'choices is-long' : 'choices'}>
        {dialog.options.map((option, index) => (
          <button
            key={option}
            type="button"
            class={index === 0 && dialog.options.length <= 4 ? 'button is-main' : 'button'}
            aria-disabled={busy}
            onClick={() => answer({ value: option })}
          >
            {plain(option)}
          </button>
        ))}
        {dialog.options.length <= 4 && <CardButtons busy={busy} onCancel={() => answer({ cancelled: true })} />}
      </div>
      {dialog.options.length > 4 && <CardButtons busy={busy} onCancel={() => answer({ cancelled: true })} />}
    </>
  )
}
