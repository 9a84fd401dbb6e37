import { useState } from 'preact/hooks'
import { plain } from '../model/plain.js'
import { OutLink } from '../ui/out-link.js'
import { CardButtons } from './card-buttons.js'
import type { CardProps } from './card-props.js'

/** One line of text. A secret is masked and leaves the page with its answer. */
export function InputCard({ dialog, busy, answer }: CardProps<'input'>) {
  const [value, setValue] = useState('')
  const isSecret = dialog.secret === true
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        answer({ value })
        if (isSecret) setValue('')
      }}
    >
      {dialog.message !== undefined && <p class="plain-text">{plain(dialog.message)}</p>}
      {dialog.link !== undefined && (
        <p>
          <OutLink href={dialog.link.url}>{dialog.link.label}</OutLink>
        </p>
      )}
      <input
        class="field"
        {...(isSecret ? { type: 'password' as const } : { type: 'text' as const })}
        aria-label={isSecret ? 'Secret answer' : 'Answer'}
        placeholder={dialog.placeholder === undefined ? '' : plain(dialog.placeholder)}
        value={value}
        autocomplete={isSecret ? 'new-password' : 'off'}
        autocapitalize="off"
        spellcheck={false}
        onInput={({ currentTarget }) => setValue(currentTarget.value)}
      />
      {isSecret && <p class="quiet">It is shown to nobody and written to no log.</p>}
      <CardButtons busy={busy} onCancel={() => answer({ cancelled: true })}>
        <button type="submit" class="button is-main" aria-disabled={busy}>
          Answer
        </button>
      </CardButtons>
    </form>
  )
}
